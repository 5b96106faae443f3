/** Reads a Claude Code marketplace, which lists the skills of its repository. */
import path from 'node:path/posix';
import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { count, echo, grouped, textOf } from '../core/text.ts';
import type { SourceTree } from './source-tree.ts';
import { TreeIndex } from './tree-index.ts';

const MARKETPLACE = '.claude-plugin/marketplace.json';
const PLUGIN = '.claude-plugin/plugin.json';

export interface Marketplace {
  folders: string[];
  notes: string[];
  /** Notes about plugins omitted because of a limit. */
  leftOut: string[];
}

/** A plugin in the repository. */
interface Plugin {
  place: string;
  /** Folders listed in the marketplace. Undefined if it lists none. */
  listed: string[] | undefined;
}

/** Maximum number of plugins named in notes. The rest are counted. */
const NAMED_MAX = 10;

/** Returns the skill folders of the marketplace. Undefined if there is no readable marketplace. */
export async function offeredBy(tree: SourceTree): Promise<Marketplace | undefined> {
  const index = TreeIndex.of(tree);
  const market = (await readJson(tree, [MARKETPLACE], LIMITS.jsonFileBytes.value)).get(MARKETPLACE);
  if (!isRecord(market) || !Array.isArray(market['plugins'])) return undefined;
  const metadata = isRecord(market['metadata']) ? market['metadata'] : {};
  const base = typeof metadata['pluginRoot'] === 'string' ? metadata['pluginRoot'] : '';
  const entries = market['plugins'] as unknown[];
  const { plugins, elsewhere } = sortOut(entries.slice(0, LIMITS.marketplacePlugins.value), base);
  const manifests = await readJson(
    tree,
    plugins.flatMap(({ place, listed }) => (listed ? [] : [path.join(place, PLUGIN)])),
    LIMITS.installedBytes.value,
  );
  const folders = new Set<string>();
  // Any number of plugins can list the same folder.
  const isTaken = new Map<string, boolean>();
  const take = (folder: string): boolean => {
    const known = isTaken.get(folder);
    if (known !== undefined) return known;
    const found = index.skillFolders(folder);
    for (const each of found) folders.add(each);
    isTaken.set(folder, found.length > 0);
    return found.length > 0;
  };
  for (const { place, listed } of plugins) {
    const manifest = manifests.get(path.join(place, PLUGIN));
    const added = listed ?? ['skills', ...((isRecord(manifest) && skillPaths(manifest['skills'])) || [])];
    const found = added.map((each) => {
      const folder = inside(place, each);
      return folder !== undefined && take(folder);
    });
    // A plugin that lists nothing and has no skills elsewhere can itself be a skill.
    if (!listed && !found.includes(true) && index.skillFileIn(place) !== undefined) folders.add(place);
  }
  return { folders: [...folders], notes: notesAbout(elsewhere), leftOut: leftOutNotes(entries.length) };
}

function sortOut(entries: readonly unknown[], base: string): { plugins: Plugin[]; elsewhere: string[] } {
  const plugins: Plugin[] = [];
  const elsewhere: string[] = [];
  for (const plugin of entries) {
    if (!isRecord(plugin)) continue;
    const source = plugin['source'] ?? '.';
    const place = typeof source === 'string' ? inside(base, source) : undefined;
    if (place === undefined) elsewhere.push(typeof plugin['name'] === 'string' ? plugin['name'] : '');
    else plugins.push({ place, listed: skillPaths(plugin['skills']) });
  }
  return { plugins, elsewhere };
}

function notesAbout(elsewhere: readonly string[]): string[] {
  const more = elsewhere.length - NAMED_MAX;
  return [
    ...elsewhere
      .slice(0, NAMED_MAX)
      .map((name) => `the plugin ${echo(name)} is in another repository, so its skills are not offered here`),
    ...(more > 0 ? [`${count(more, 'more plugin')} ${more === 1 ? 'is' : 'are'} kept elsewhere`] : []),
  ];
}

function leftOutNotes(plugins: number): string[] {
  const max = LIMITS.marketplacePlugins.value;
  if (plugins <= max) return [];
  return [`the marketplace lists ${grouped(plugins)} plugins; only the first ${grouped(max)} are read`];
}

function skillPaths(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : undefined;
}

/** Resolves a folder below another in the repository. Undefined if it leads out. */
function inside(base: string, given: string): string | undefined {
  const joined = path.join(base.replaceAll('\\', '/'), given.replaceAll('\\', '/')).replace(/\/$/u, '');
  if (given.includes('://') || path.isAbsolute(joined) || joined === '..' || joined.startsWith('../')) return undefined;
  return joined === '.' ? '' : joined;
}

/** Reads JSON files of the source together. Missing, invalid and too large files are omitted. */
async function readJson(tree: SourceTree, files: readonly string[], maxBytes: number): Promise<Map<string, unknown>> {
  const present = [...new Set(files)].filter((file) => tree.entries.get(file)?.kind === 'file');
  const contents = await tree.read(present, maxBytes);
  return new Map(
    [...contents].flatMap(([file, bytes]) => {
      try {
        return bytes.length > LIMITS.jsonFileBytes.value ? [] : [[file, JSON.parse(textOf(bytes) ?? '') as unknown]];
      } catch {
        return [];
      }
    }),
  );
}
