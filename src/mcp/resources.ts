/**
 * Skills, specs and changes as resources. The extension serves the files of skills; this lists everything and keeps the
 * subscriptions.
 */
import { ResourceNotFoundError, type Resource } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { compareText } from '../core/text.ts';
import { fullNameOf } from '../skills/skill.ts';
import { addAgentResources } from './agent-resources.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { pageAfter } from './paging.ts';
import type { Connection } from './connection.ts';
import { createSkillSource } from './skill-source.ts';
import { type AddressedSkill, addressedSkills, findByUri, manifestUri } from './skill-uris.ts';
import { addSpecResources, annotationsOf, describeText, hasSpecResource } from './spec-resources.ts';
import { type AddressedText, addressedTexts } from './spec-uris.ts';

const PAGE_SIZE = 200;

/** Bounds the memory that one client can use. */
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

type Listed = AddressedSkill | AddressedText;

async function listAll(served: ServedWorkspace): Promise<Listed[]> {
  const skills = served.servesSkills ? addressedSkills(await served.snapshot()).values() : [];
  const texts = served.has('specs') ? addressedTexts(await served.specs()).values() : [];
  return [...skills, ...texts].sort((a, b) => compareText(keyOf(a), keyOf(b)));
}

function keyOf(item: Listed): string {
  return 'skill' in item ? item.root : item.uri;
}

function describe(item: Listed): Resource {
  return 'skill' in item ? describeSkill(item) : describeText(item);
}

async function hasResource(served: ServedWorkspace, uri: string): Promise<boolean> {
  if (served.servesSkills && findByUri(await served.snapshot(), uri)) return true;
  return served.has('specs') && hasSpecResource(served, uri);
}

function describeSkill({ root, skill }: AddressedSkill): Resource {
  return {
    uri: manifestUri(root, skill),
    name: skill.name,
    title: fullNameOf(skill),
    description: skill.description,
    mimeType: 'text/markdown',
    size: skill.stamp.size,
    annotations: annotationsOf(skill.stamp),
  };
}
