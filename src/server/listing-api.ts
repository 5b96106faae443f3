/**
 * Serves the first skills visible to a caller, for servers that join this catalog with local skills. A full list of tens of thousands
 * would have to be downloaded after every publication and does not fit in the description of a tool.
 */
import { memo } from '../core/memo.ts';
import type { Service } from '../http/listen.ts';
import type { Handler } from '../http/routes.ts';
import { RequestContext } from '../hub/request-context.ts';
import type { View } from '../hub/view.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import type { SharedListing } from '../mcp/remote-catalog/shared-listing.ts';
import { jsonBytes, leading } from '../mcp/fit-reply.ts';
import { listingOf } from '../mcp/served-workspace.ts';

/** More than any client shows. */
const SKILLS_MAX = 1_000;
const BYTES_MAX = 400_000;

export function listingApi(): Service {
  const answer: Handler = (request, context) => {
    const { catalog, caller } = RequestContext.of(context);
    const headers = {
      etag: `"${catalog.number}-${catalog.stampFor(caller.teams)}"`,
      'cache-control': 'private, no-cache',
    };
    if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers });
    const listing: SharedListing = { snapshot: catalog.number, ...beginningOf(catalog.viewFor(...caller.teams)) };
    return Response.json(listing, { headers });
  };
  return {
    routes: [{ path: '/api/listing', scope: 'read', methods: { GET: answer } }],
    close: async () => undefined,
  };
}

function beginningOf({ snapshot, hasSpecs }: View): Omit<SharedListing, 'snapshot'> {
  return { hasSpecs, ...skillsOf(snapshot) };
}

const skillsOf = memo((snapshot: Snapshot): Pick<SharedListing, 'total' | 'skills'> => {
  const { first, total } = snapshot.beginningForModels(SKILLS_MAX);
  return { total, skills: leading(listingOf(snapshot, first), BYTES_MAX, jsonBytes) };
});
