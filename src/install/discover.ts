/** Which skills a source offers. */
import path from 'node:path/posix';
import { readFrontmatter } from '../core/frontmatter/read.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText } from '../core/text.ts';
import { parseHeader } from '../skills/parse.ts';
import { ENABLED_NAME } from '../skills/skill.ts';
import { offeredBy } from './marketplace.ts';
import type { SourceTree } from './source-tree.ts';

export interface OfferedSkill {
  name: string;
  description: string;
  /** Its folder in the source; empty for the root. */
  path: string;
  /** Why no agent can use it as it is. */
  problem?: string;
}

export interface Offer {
  skills: OfferedSkill[];
  notes: string[];
}

/** A SKILL.md of any case counts, except the hidden one of a disabled skill. */
function isSkillFile(place: string): boolean {
  return path.basename(place).toUpperCase() === ENABLED_NAME.toUpperCase();
}

/** The folders with a SKILL.md below a folder, without those inside another skill. */
export function skillFolders({ entries }: SourceTree, below: string): string[] {
  const within = below === '' ? '' : `${below}/`;
  const folders = [...entries]
    .filter(
      ([place, { kind }]) => (kind === 'file' || kind === 'link') && isSkillFile(place) && place.startsWith(within),
    )
    .map(([place]) => (path.dirname(place) === '.' ? '' : path.dirname(place)))
    .sort(compareText);
  const found = [...new Set(folders)];
  const hasOwn = found.includes(below);
  // As for plugins: a SKILL.md at the top describes the whole only if there is no folder of skills.
  const inFolder = found.filter((folder) => folder.startsWith(`${within}skills/`));
  if (hasOwn && inFolder.length === 0) return [below];
  const others = hasOwn ? inFolder : found;
  const known = new Set(others);
  return others.filter((folder) => !ancestorsOf(folder).some((outer) => known.has(outer)));
}

function ancestorsOf(folder: string): string[] {
  const parts = folder.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** `sourceName` names a skill that has no name of its own and lies at the root. */
export async function discoverOffer(tree: SourceTree, asked: string, sourceName: string): Promise<Offer> {
  const below = isSkillFile(asked) && tree.entries.has(asked) ? path.dirname(asked).replace(/^\.$/u, '') : asked;
  const market = below === '' ? await offeredBy(tree, (folder) => skillFolders(tree, folder)) : undefined;
  const folders = market?.folders ?? skillFolders(tree, below);
  const files = folders.flatMap((folder) => skillFileIn(tree, folder) ?? []);
  const plain = files.filter((file) => tree.entries.get(file)?.kind === 'file');
  const texts = await tree.read(plain, Math.max(LIMITS.installedBytes.value, plain.length * 1024));
  const skills = folders.map((folder): OfferedSkill => {
    const file = skillFileIn(tree, folder);
    const bytes = file === undefined ? undefined : texts.get(file);
    const header =
      bytes && bytes.length <= LIMITS.skillFileBytes.value
        ? parseHeader(file ?? '', bytes, { complete: true, read: readFrontmatter })
        : undefined;
    return {
      name: header?.name ?? (folder === '' ? sourceName : path.basename(folder)),
      description: header?.description ?? '',
      path: folder,
      ...problemOf(bytes, header),
    };
  });
  return { skills: await withoutCopies(tree, skills), notes: market?.notes ?? [] };
}

function problemOf(bytes: Uint8Array | undefined, header: ReturnType<typeof parseHeader>): { problem?: string } {
  if (!bytes) return {};
  if (!header) return { problem: 'its SKILL.md is too large' };
  const error = header.diagnostics.find(({ severity }) => severity === 'error');
  return error ? { problem: error.message } : {};
}

function skillFileIn(tree: SourceTree, folder: string): string | undefined {
  const within = folder === '' ? '' : `${folder}/`;
  if (tree.entries.has(within + ENABLED_NAME)) return within + ENABLED_NAME;
  for (const place of tree.entries.keys())
    if (place.startsWith(within) && !place.slice(within.length).includes('/') && isSkillFile(place)) return place;
  return undefined;
}

/** Many repositories keep the same skill once for every agent. Copies with the same bytes in every file are one skill. */
async function withoutCopies(tree: SourceTree, skills: readonly OfferedSkill[]): Promise<OfferedSkill[]> {
  const kept: OfferedSkill[] = [];
  for (const skill of skills) {
    let isCopy = false;
    for (const other of kept.filter(({ name }) => name === skill.name))
      isCopy ||= await areCopies(tree, other.path, skill.path);
    if (!isCopy) kept.push(skill);
  }
  return kept;
}

async function areCopies(tree: SourceTree, a: string, b: string): Promise<boolean> {
  const [first, second] = [filesBelow(tree, a), filesBelow(tree, b)];
  if (first.length !== second.length || first.some((file, index) => file !== second[index])) return false;
  for (const file of first) {
    const [one, other] = [path.join(a, file), path.join(b, file)];
    const [left, right] = [tree.entries.get(one), tree.entries.get(other)];
    if (left?.kind !== 'file' || right?.kind !== 'file' || left.executable !== right.executable) return false;
    if (!(await tree.sameFile(one, other))) return false;
  }
  return true;
}

function filesBelow({ entries }: SourceTree, folder: string): string[] {
  const within = folder === '' ? '' : `${folder}/`;
  return [...entries.keys()]
    .filter((place) => place.startsWith(within))
    .map((place) => place.slice(within.length))
    .sort(compareText);
}
