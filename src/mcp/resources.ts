/**
 * Skills, specs and changes as resources. The extension serves the files of skills; this lists everything and keeps who
 * wants to hear of changes.
 */
import { ResourceNotFoundError, type Resource } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { compareText } from '../core/text.ts';
import { fileNameOf, fullNameOf, type Skill } from '../skills/skill.ts';
import type { Catalog } from './catalog.ts';
import { pageAfter } from './paging.ts';
import type { Connection } from './server.ts';
import { createSkillSource } from './skill-source.ts';
import { type AddressedSkill, addressedSkills, fileUri, findByUri } from './skill-uris.ts';
import { addSpecResources, hasSpecResource, listSpecResources } from './spec-resources.ts';

const PAGE_SIZE = 200;

/** Bounds what one client can make us remember. */
const SUBSCRIPTIONS_MAX = 1_000;

/** Adds the resource methods to a connection. The extension itself is made once and attached to each. */
export function createResources(catalog: Catalog): (connection: Connection) => void {
  const ttlMs = catalog.serving.refreshIntervalMs ?? 0;
  const extension = new SkillsExtension({
    source: createSkillSource(catalog),
    cacheHint: { ttlMs, cacheScope: 'private' },
    onWarning: ({ path: place, message }) => catalog.log.warn(`${place}: ${message}`),
  });
  return ({ mcp, subscriptions }) => {
    if (catalog.servesSkills) extension.attach(mcp);
    if (catalog.has('specs')) addSpecResources(mcp, catalog);
    mcp.server.registerCapabilities({
      resources: { listChanged: catalog.announcesChanges, subscribe: catalog.announcesChanges },
    });
    // The list that the extension brings has no pages.
    mcp.server.setRequestHandler('resources/list', async ({ params }) => {
      const { items, ...next } = pageAfter(await listAll(catalog), params?.cursor, PAGE_SIZE, ({ key }) => key);
      return { resources: items.map(({ resource }) => resource), ...next };
    });
    if (!catalog.announcesChanges) return;
    mcp.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      if (!(await hasResource(catalog, uri))) throw new ResourceNotFoundError(uri);
      if (subscriptions.size < SUBSCRIPTIONS_MAX) subscriptions.add(uri);
      return {};
    });
    mcp.server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
      subscriptions.delete(uri);
      return {};
    });
  };
}

async function listAll(catalog: Catalog): Promise<{ key: string; resource: Resource }[]> {
  const skills = catalog.servesSkills ? [...addressedSkills(await catalog.snapshot()).values()] : [];
  const specs = catalog.has('specs') ? await listSpecResources(catalog) : [];
  const all = [...skills.map((item) => ({ key: item.root, resource: describe(item) })), ...specs];
  return all.sort((a, b) => compareText(a.key, b.key));
}

async function hasResource(catalog: Catalog, uri: string): Promise<boolean> {
  if (catalog.servesSkills && findByUri(await catalog.snapshot(), uri)) return true;
  return catalog.has('specs') && hasSpecResource(catalog, uri);
}

function describe({ root, skill }: AddressedSkill): Resource {
  return {
    uri: manifestUri(root, skill),
    name: skill.name,
    title: fullNameOf(skill),
    description: skill.description,
    mimeType: 'text/markdown',
    size: skill.stamp.size,
    annotations: { audience: ['assistant'], lastModified: new Date(skill.stamp.mtimeMs).toISOString() },
  };
}

export function manifestUri(root: string, skill: Skill): string {
  return fileUri(root, fileNameOf(skill));
}
