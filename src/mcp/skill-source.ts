/**
 * Serves the catalog through the official Skills extension. Hosts check every byte against the published digests and the
 * frontmatter against the file, so only skills that every parser reads the same way are published. The tools serve all skills.
 */
import path from 'node:path';
import type { Resource } from '@modelcontextprotocol/server';
import {
  DIRECTORY_MIME_TYPE,
  type Skill as PublishedSkill,
  type SkillReadResult,
  type SkillSource,
} from '@modelcontextprotocol/server/ext/skills';
import { encodeCursor } from '../core/cursor.ts';
import { compareText, echo, textOf } from '../core/text.ts';
import { unreadable } from '../core/unreadable.ts';
import { Failure } from '../core/failure.ts';
import { FileTrouble, sameStamp } from '../core/disk/tree.ts';
import { mimeTypeOf } from '../core/mime-type.ts';
import type { Bundle } from '../skills/bundle.ts';
import { fileUnreadable } from '../skills/codes.ts';
import { fitsMcpExtension, mcpBundleProblem } from '../skills/mcp-extension.ts';
import { ENABLED_NAME, type Skill } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { jsonBytes, requireFits } from './fit-reply.ts';
import { PAGE_BYTES, pageAfter } from './paging.ts';
import { type AddressedSkill, addressedSkills, fileUri, findByUri } from './skill-uris.ts';

const PAGE_SIZE = 50;
const DIRECTORY_PAGE_SIZE = 500;

type ReportUnpublished = (skill: Skill, reason: string) => void;

export function createSkillSource(served: ServedWorkspace): SkillSource {
  const report: ReportUnpublished = ({ file }, reason) =>
    served.warnOnce(`the Skills extension cannot carry ${file}: ${reason}; the tools serve it`);
  return {
    async list({ cursor }) {
      const workspace = await served.workspace();
      const all = [...addressedSkills(await workspace.fresh()).values()].filter(({ skill }) => fitsMcpExtension(skill));
      const { items, ...next } = pageAfter(
        all,
        cursor,
        PAGE_SIZE,
        ({ root }) => root,
        (item) => item,
      );
      const skills: PublishedSkill[] = [];
      let bytesLeft: number = PAGE_BYTES;
      for (const [index, item] of items.entries()) {
        const entry = await publish(item, workspace, report);
        bytesLeft -= entry === undefined ? 0 : jsonBytes(entry);
        const before = items[index - 1];
        if (bytesLeft < 0 && before) return { skills, nextCursor: encodeCursor(before.root) };
        if (entry) skills.push(entry);
      }
      return { skills, ...next };
    },

    async get(uri) {
      const workspace = await served.workspace();
      const item = findByUri(await workspace.fresh(), uri);
      if (!item || !fitsMcpExtension(item.skill) || uri !== fileUri(item.root, ENABLED_NAME)) return undefined;
      return publish(item, workspace, report);
    },

    read: (uri) => readByUri(served, uri),

    async readDirectory(uri, { cursor }) {
      const workspace = await served.workspace();
      const asked = uri.replace(/\/$/u, '');
      const item = findByUri(await workspace.fresh(), asked);
      if (!item) return undefined;
      const children = await childrenOf(item, asked, workspace);
      if (children.length === 0) return undefined;
      const { items, ...next } = pageAfter(
        children,
        cursor,
        DIRECTORY_PAGE_SIZE,
        (child) => child.uri,
        (child) => child,
      );
      return { resources: items, ...next };
    },
  };
}

/** Returns undefined if the files change while they are read, or exceed the limits of the extension. */
async function publish(
  { root, skill }: AddressedSkill,
  workspace: Reader,
  report: ReportUnpublished,
): Promise<PublishedSkill | undefined> {
  const { name, description } = skill.frontmatter;
  if (typeof name !== 'string' || typeof description !== 'string') return undefined;
  const content = workspace.contentOf(skill);
  const bundle = await content.files();
  const problem = mcpBundleProblem(bundle);
  if (problem !== undefined) report(skill, problem);
  const manifest = bundle.files.find((file) => file.path === ENABLED_NAME);
  if (bundle.cut || !manifest || !sameStamp(manifest.stamp, skill.stamp)) return undefined;
  const resources: { uri: string; digest: string; size: number }[] = [];
  for (const file of bundle.files) {
    const sha256 = await content.sha256(file.path);
    if (sha256 === undefined) return undefined;
    resources.push({ uri: fileUri(root, file.path), digest: `sha256:${sha256}`, size: file.bytes });
  }
  resources.sort((a, b) => compareText(a.uri, b.uri));
  return { uri: fileUri(root, ENABLED_NAME), frontmatter: { ...skill.frontmatter, name, description }, resources };
}

/** Returns the content of a bundled file, or undefined if no skill has a file with that URI. */
async function readByUri(served: ServedWorkspace, uri: string): Promise<SkillReadResult | undefined> {
  const workspace = await served.workspace();
  const read = async (): Promise<SkillReadResult | undefined> => {
    const item = findByUri(workspace.snapshot, uri);
    if (!item) return undefined;
    const content = workspace.contentOf(item.skill);
    const bundle = await content.files();
    const file = bundle.files.find((each) => fileUri(item.root, each.path) === uri);
    if (!file) return refuseUnreadable(item, bundle, uri);
    const bytes = await content.read(file.path);
    const text = textOf(bytes);
    requireFits(text ?? Buffer.from(bytes).toString('base64'), 'The tool skill_file reads it in parts.');
    return text === undefined
      ? { bytes, mimeType: mimeTypeOf(file.path) }
      : { text, mimeType: mimeTypeOf(file.path, { isText: true }) };
  };
  try {
    const found = await read();
    if (found) return found;
    await workspace.reload();
    return await read();
  } catch (error) {
    // A file that was removed or links out of its folder counts as missing.
    if (!(error instanceof Failure) || (error.code === 'UNREADABLE' && !isRefusal(error.cause))) throw error;
    return undefined;
  }
}

function isRefusal(cause: unknown): boolean {
  return cause instanceof FileTrouble && !cause.isFailedRead;
}

/** Fails if the file is in a folder that cannot be read. */
function refuseUnreadable({ root, skill }: AddressedSkill, { diagnostics }: Bundle, uri: string): undefined {
  const closed = diagnostics.find(({ code, path: place }) => {
    if (code !== fileUnreadable.code) return false;
    const at = fileUri(root, path.relative(skill.dir, place).split(path.sep).join('/'));
    return uri === at || uri.startsWith(`${at}/`);
  });
  if (closed) throw unreadable(`Resource ${echo(uri)}`, closed);
}

async function childrenOf({ root, skill }: AddressedSkill, asked: string, workspace: Reader): Promise<Resource[]> {
  const children = new Map<string, Resource>();
  for (const file of (await workspace.contentOf(skill).files()).files) {
    const uri = fileUri(root, file.path);
    if (!uri.startsWith(`${asked}/`)) continue;
    const rest = uri.slice(asked.length + 1);
    const slash = rest.indexOf('/');
    if (slash === -1) {
      children.set(uri, {
        uri,
        name: path.posix.basename(file.path),
        mimeType: mimeTypeOf(file.path),
        size: file.bytes,
      });
      continue;
    }
    const folder = `${asked}/${rest.slice(0, slash)}`;
    const depth = asked === root ? 0 : asked.slice(root.length + 1).split('/').length;
    children.set(folder, { uri: folder, name: file.path.split('/')[depth] ?? '', mimeType: DIRECTORY_MIME_TYPE });
  }
  return [...children.values()].sort((a, b) => compareText(a.uri, b.uri));
}
