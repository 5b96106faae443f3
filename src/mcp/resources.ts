/**
 * Skills, specs and changes as resources. The extension serves the files of skills; this lists everything and keeps who
 * wants to hear of changes.
 */
import path from 'node:path';
import { ResourceNotFoundError, type Resource } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { compareText } from '../core/diagnostics.js';
import { fullNameOf } from '../skills/schema.js';
import type { Catalogue } from './catalogue.js';
import { pageAfter } from './paging.js';
import type { Connection } from './server.js';
import { createSkillSource } from './skill-source.js';
import { type AddressedSkill, addressedSkills, fileUri, findByUri } from './skill-uris.js';
import { addSpecResources, hasSpecResource, listSpecResources } from './spec-resources.js';

const PAGE_SIZE = 200;

/** Bounds what one client can make us remember. */
const SUBSCRIPTIONS_MAX = 1_000;

/** Adds the resource methods to a connection. The extension itself is made once and attached to each. */
export function createResources(catalogue: Catalogue): (connection: Connection) => void {
  const ttlMs = catalogue.serving.refreshIntervalMs ?? 0;
  const extension = new SkillsExtension({
    source: createSkillSource(catalogue),
    cacheHint: { ttlMs, cacheScope: 'private' },
    onWarning: ({ path: place, message }) => catalogue.log.warn(`${place}: ${message}`),
  });
  return ({ mcp, subscriptions }) => {
    if (catalogue.servesSkills) extension.attach(mcp);
    if (catalogue.has('specs')) addSpecResources(mcp, catalogue);
    mcp.server.registerCapabilities({ resources: { listChanged: catalogue.announcesChanges, subscribe: catalogue.announcesChanges } });
    // The list that the extension brings has no pages.
    mcp.server.setRequestHandler('resources/list', async ({ params }) => {
      const { items, ...next } = pageAfter(await listAll(catalogue), params?.cursor, PAGE_SIZE, ({ key }) => key);
      return { resources: items.map(({ resource }) => resource), ...next };
    });
    if (!catalogue.announcesChanges) return;
    mcp.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      if (!(await hasResource(catalogue, uri))) throw new ResourceNotFoundError(uri);
      if (subscriptions.size < SUBSCRIPTIONS_MAX) subscriptions.add(uri);
      return {};
    });
    mcp.server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
      subscriptions.delete(uri);
      return {};
    });
  };
}

async function listAll(catalogue: Catalogue): Promise<{ key: string; resource: Resource }[]> {
  const skills = catalogue.servesSkills ? [...addressedSkills(await catalogue.snapshot()).values()] : [];
  const specs = catalogue.has('specs') ? await listSpecResources(catalogue) : [];
  const all = [...skills.map((item) => ({ key: item.root, resource: describe(item) })), ...specs];
  return all.sort((a, b) => compareText(a.key, b.key));
}

async function hasResource(catalogue: Catalogue, uri: string): Promise<boolean> {
  if (catalogue.servesSkills && findByUri(await catalogue.snapshot(), uri)) return true;
  return catalogue.has('specs') && hasSpecResource(catalogue, uri);
}

function describe({ root, skill }: AddressedSkill): Resource {
  return {
    uri: manifestUri(root, skill.realFile),
    name: skill.name,
    title: fullNameOf(skill),
    description: skill.description,
    mimeType: 'text/markdown',
    size: skill.stamp.size,
    annotations: { audience: ['assistant'], lastModified: new Date(skill.stamp.mtimeMs).toISOString() },
  };
}

export function manifestUri(root: string, realFile: string): string {
  return fileUri(root, path.basename(realFile));
}
