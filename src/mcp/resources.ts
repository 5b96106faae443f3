/**
 * Serves skills, specs and changes as resources. The extension serves the files of skills. This module lists everything and keeps
 * the subscriptions.
 */
import { ResourceNotFoundError, type Resource } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { compareText } from '../core/text.ts';
import { fullNameOf } from '../skills/skill.ts';
import type { CachedSkill } from '../workspace/cached-listing.ts';
import { addAgentResources } from './agent-resources.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { pageAfter } from './paging.ts';
import type { Connection } from './connection.ts';
import { createSkillSource } from './skill-source.ts';
import { type AddressedSkill, addressedSkills, findByUri, manifestUri } from './skill-uris.ts';
import { addSpecResources, annotationsOf, describeText, hasSpecResource } from './spec-resources.ts';
import { type AddressedText, addressedTexts } from './spec-uris.ts';

const PAGE_SIZE = 200;

/** Limits the memory that one client can use. */
const SUBSCRIPTIONS_MAX = 1_000;

/** Returns a function that adds the resource methods to a connection. All connections share one extension. */
export function createResources(served: ServedWorkspace): (connection: Connection) => void {
  const ttlMs = served.settings.refreshIntervalMs ?? 0;
  const extension = new SkillsExtension({
    source: createSkillSource(served),
    cacheHint: { ttlMs, cacheScope: 'private' },
    onWarning: ({ path: place, message }) => served.log.warn(`${place}: ${message}`),
  });
  return ({ mcp, subscriptions }) => {
    if (served.servesSkills) extension.attach(mcp);
    if (served.servesSkills && !served.settings.isShared) addAgentResources(mcp, served);
    if (served.has('specs')) addSpecResources(mcp, served);
    mcp.server.registerCapabilities({
      resources: { listChanged: served.announcesChanges, subscribe: served.announcesChanges },
    });
    // Replaces the extension's own list, which has no pages.
    mcp.server.setRequestHandler('resources/list', async ({ params }) => {
      const { items, ...next } = pageAfter(await listAll(served), params?.cursor, PAGE_SIZE, keyOf, describe);
      return { resources: items, ...next };
    });
    if (!served.announcesChanges) return;
    mcp.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      if (!(await hasResource(served, uri))) throw new ResourceNotFoundError(uri);
      if (subscriptions.size < SUBSCRIPTIONS_MAX) subscriptions.add(uri);
      return {};
    });
    mcp.server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
      subscriptions.delete(uri);
      return {};
    });
  };
}

/** A skill cached by the last run. */
interface KeptResource {
  root: string;
  resource: Resource;
}

type Listed = AddressedSkill | AddressedText | KeptResource;

async function listAll(served: ServedWorkspace): Promise<Listed[]> {
  const kept = await served.provisional('resources');
  const skills = kept
    ? kept.flatMap(keptResource)
    : served.servesSkills
      ? addressedSkills(await served.snapshot()).values()
      : [];
  // Specs are read after the first scan.
  const texts = served.has('specs') && !kept ? addressedTexts(await served.specs()).values() : [];
  return [...skills, ...texts].sort((a, b) => compareText(keyOf(a), keyOf(b)));
}

function keyOf(item: Listed): string {
  return 'root' in item ? item.root : item.uri;
}

function describe(item: Listed): Resource {
  if ('resource' in item) return item.resource;
  return 'skill' in item ? describeSkill(item) : describeText(item);
}

async function hasResource(served: ServedWorkspace, uri: string): Promise<boolean> {
  if (served.servesSkills && findByUri(await served.snapshot(), uri)) return true;
  return served.has('specs') && hasSpecResource(served, uri);
}

function describeSkill({ root, skill }: AddressedSkill): Resource {
  const { name, description, stamp } = skill;
  return skillResource({ uri: manifestUri(root, skill), name, title: fullNameOf(skill), description, ...stamp });
}

function keptResource({ title: name, description, resource }: CachedSkill): KeptResource[] {
  if (!resource) return [];
  const root = resource.uri.slice(0, resource.uri.lastIndexOf('/'));
  return [{ root, resource: skillResource({ name, description, ...resource }) }];
}

function skillResource({
  uri,
  name,
  title,
  description,
  size,
  mtimeMs,
}: {
  uri: string;
  name: string;
  title: string;
  description: string;
  size: number;
  mtimeMs: number;
}): Resource {
  return { uri, name, title, description, mimeType: 'text/markdown', size, annotations: annotationsOf({ mtimeMs }) };
}
