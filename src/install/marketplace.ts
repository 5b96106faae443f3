/** A marketplace of Claude Code says which skills its repository offers. */
import path from 'node:path/posix';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, textOf } from '../core/text.ts';
import type { SourceTree } from './source-tree.ts';

const MARKETPLACE = '.claude-plugin/marketplace.json';
const PLUGIN = '.claude-plugin/plugin.json';

export interface Marketplace {
  folders: string[];
  notes: string[];
}

/** The folders of the skills that the marketplace offers; undefined if there is none that can be read. */
export async function offeredBy(
  tree: SourceTree,
  skillsBelow: (folder: string) => string[],
): Promise<Marketplace | undefined> {
  const market = await readJson(tree, MARKETPLACE);
  if (!isRecord(market) || !Array.isArray(market['plugins'])) return undefined;
  const metadata = isRecord(market['metadata']) ? market['metadata'] : {};
  const base = typeof metadata['pluginRoot'] === 'string' ? metadata['pluginRoot'] : '';
  const folders = new Set<string>();
  const notes: string[] = [];
  for (const plugin of market['plugins'] as unknown[]) {
    if (!isRecord(plugin)) continue;
    const name = typeof plugin['name'] === 'string' ? plugin['name'] : '';
    const source = plugin['source'] ?? '.';
    const place = typeof source === 'string' ? inside(base, source) : undefined;
    if (place === undefined) {
      notes.push(`the plugin ${echo(name)} is kept elsewhere, so its skills are not offered here`);
      continue;
    }
    const listed = skillPaths(plugin['skills']);
    for (const folder of listed === undefined
      ? await ofPlugin(tree, place, skillsBelow)
      : below(place, listed, skillsBelow))
      folders.add(folder);
  }
  return { folders: [...folders], notes };
}

/** A plugin that lists nothing: its `skills/`, what its own file adds, or a SKILL.md at its top. */
async function ofPlugin(tree: SourceTree, place: string, skillsBelow: (folder: string) => string[]): Promise<string[]> {
  const manifest = await readJson(tree, path.join(place, PLUGIN));
  const added = (isRecord(manifest) ? skillPaths(manifest['skills']) : undefined) ?? [];
  const found = below(place, ['skills', ...added], skillsBelow);
  if (found.length > 0) return found;
  return skillsBelow(place).filter((folder) => folder === place);
}

function below(place: string, listed: readonly string[], skillsBelow: (folder: string) => string[]): string[] {
  return listed.flatMap((each) => {
    const folder = inside(place, each);
    return folder === undefined ? [] : skillsBelow(folder);
  });
}

function skillPaths(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined;
}

/** A folder below another in the repository; undefined if it leads out. */
function inside(base: string, given: string): string | undefined {
  const joined = path.join(base.replaceAll('\\', '/'), given.replaceAll('\\', '/')).replace(/\/$/u, '');
  if (given.includes('://') || path.isAbsolute(joined) || joined === '..' || joined.startsWith('../')) return undefined;
  return joined === '.' ? '' : joined;
}

async function readJson(tree: SourceTree, file: string): Promise<unknown> {
  if (tree.entries.get(file)?.kind !== 'file') return undefined;
  const text = textOf((await tree.read([file], LIMITS.jsonFileBytes.value)).get(file) ?? new Uint8Array());
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
