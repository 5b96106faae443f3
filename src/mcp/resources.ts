/** Skills as resources: the extension serves their files, this lists them and keeps who wants to hear of changes. */
import { ResourceNotFoundError, type Resource } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { fullNameOf } from '../skills/schema.js';
import type { Catalogue } from './catalogue.js';
import { pageAfter } from './paging.js';
import type { Connection } from './server.js';
import { createSkillSource } from './skill-source.js';
import { type AddressedSkill, addressedSkills, fileUri, findByUri } from './skill-uris.js';
import path from 'node:path';

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
    extension.attach(mcp);
    mcp.server.registerCapabilities({ resources: { listChanged: catalogue.announcesChanges, subscribe: catalogue.announcesChanges } });
    // The list that the extension brings has no pages.
    mcp.server.setRequestHandler('resources/list', async ({ params }) => {
      const all = [...addressedSkills(await catalogue.snapshot()).values()];
      const { items, ...next } = pageAfter(all, params?.cursor, PAGE_SIZE, ({ root }) => root);
      return { resources: items.map(describe), ...next };
    });
    if (!catalogue.announcesChanges) return;
    mcp.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      if (!findByUri(await catalogue.snapshot(), uri)) throw new ResourceNotFoundError(uri);
      if (subscriptions.size < SUBSCRIPTIONS_MAX) subscriptions.add(uri);
      return {};
    });
    mcp.server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
      subscriptions.delete(uri);
      return {};
    });
  };
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
