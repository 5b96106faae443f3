/** Serves specs and changes as resources. */
import { type McpServer, type Resource, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { Failure } from '../core/failure.ts';
import { changedAt, type Stamp } from '../core/disk/tree.ts';
import { clip } from '../core/text.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import { getChange, getSpec, requireReadable } from '../specs/lookup.ts';
import { requireFits } from './fit-reply.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { type AddressedText, addressedTexts, CHANGE_SCHEME, findText, SPEC_SCHEME } from './spec-uris.ts';

/** Lists show the beginning of a purpose, which can be a page long. */
const DESCRIPTION_MAX = 300;
const MIME_TYPE = 'text/markdown';

const TEMPLATES = [
  {
    name: 'spec',
    title: 'A spec',
    scheme: SPEC_SCHEME,
    variable: 'id',
    description: 'The file of a spec, by the id of the spec.',
  },
  {
    name: 'change',
    title: 'A file of a change',
    scheme: CHANGE_SCHEME,
    variable: 'path',
    description: 'A file of a change proposal: <id>/proposal.md, tasks.md, design.md or specs/<capability>/spec.md.',
  },
] as const;

/** Adds reading and the templates. The list is part of `resources/list`, which also contains the skills. */
export function addSpecResources(mcp: McpServer, served: ServedWorkspace): void {
  for (const { name, title, scheme, variable, description } of TEMPLATES) {
    const template = new ResourceTemplate(`${scheme}{+${variable}}`, { list: undefined });
    mcp.registerResource(name, template, { title, description, mimeType: MIME_TYPE }, async ({ href }) => {
      const specs = await served.specs();
      const found = findText(specs, href);
      if (!found) refuseUnreadable(specs, href);
      if (!found) throw new ResourceNotFoundError(href);
      requireFits(found.file.text, 'The tools for specs and changes read it in parts.');
      return { contents: [{ uri: found.uri, mimeType: MIME_TYPE, text: found.file.text }] };
    });
  }
}

/** Fails if the URI identifies a spec or change that cannot be read. */
function refuseUnreadable(specs: SpecCatalog, href: string): void {
  try {
    if (href.startsWith(SPEC_SCHEME)) getSpec(specs, decodeURI(href.slice(SPEC_SCHEME.length)));
    else {
      const [id = '', ...file] = decodeURI(href.slice(CHANGE_SCHEME.length)).split('/');
      requireReadable(getChange(specs, id), [file.join('/')]);
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'UNREADABLE') throw error;
  }
}

export async function hasSpecResource(served: ServedWorkspace, uri: string): Promise<boolean> {
  const isOurs = uri.startsWith(SPEC_SCHEME) || uri.startsWith(CHANGE_SCHEME);
  return isOurs && findText(await served.specs(), uri) !== undefined;
}

/** Returns completions for the variable of a template, or undefined for unknown templates. */
export async function completeSpecUri(served: ServedWorkspace, uriTemplate: string): Promise<string[] | undefined> {
  const template = TEMPLATES.find(({ scheme, variable }) => uriTemplate === `${scheme}{+${variable}}`);
  if (!template) return undefined;
  const uris = [...addressedTexts(await served.specs()).keys()];
  return uris.flatMap((uri) => (uri.startsWith(template.scheme) ? [uri.slice(template.scheme.length)] : []));
}

export function describeText({ uri, kind, id, title, description, file }: AddressedText): Resource {
  return {
    uri,
    name: kind === 'spec' ? id : uri.slice(CHANGE_SCHEME.length),
    title,
    ...(description === '' ? {} : { description: clip(description.replaceAll(/\s+/gu, ' '), DESCRIPTION_MAX) }),
    mimeType: MIME_TYPE,
    size: file.stamp.size,
    annotations: annotationsOf(file.stamp),
  };
}

export function annotationsOf(stamp: Pick<Stamp, 'mtimeMs'>): Resource['annotations'] {
  const lastModified = changedAt(stamp)?.toISOString();
  return { audience: ['assistant'], ...(lastModified === undefined ? {} : { lastModified }) };
}
