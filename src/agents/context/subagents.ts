/** Computes the lines of the subagents and commands that an agent shows its model. */
import path from 'node:path';
import type { ReadFrontmatter } from '../../core/frontmatter/plain.ts';
import { isInside } from '../../core/inside.ts';
import { isRecord } from '../../core/json-file.ts';
import { oneLine } from '../../core/text.ts';
import { homeFolder, type Surroundings } from '../surroundings.ts';
import { absent, type Item, item } from './item.ts';
import type { MemoryFile, MemoryFiles } from './memory-files.ts';
import type { ContextRules, SubagentRules } from './rules.ts';

/** Parses a TOML document. Returns undefined if it is invalid. */
export type ParseToml = (text: string) => Record<string, unknown> | undefined;

interface Described {
  name: string | undefined;
  description: string | undefined;
  tools: string;
}

export interface SubagentSources {
  at: Surroundings;
  files: MemoryFiles;
  parseToml: ParseToml;
  readFrontmatter: ReadFrontmatter;
}

/** The nearest file wins, and the project wins over the home folder. */
export function subagentItems(agent: string, rules: SubagentRules, { at, files, ...readers }: SubagentSources): Item[] {
  const home = homeFolder(at, rules.home.folder, rules.home.variable);
  const { project } = rules;
  const dirs = [
    ...(project === undefined ? [] : at.folders.map((dir) => path.join(dir, project))),
    ...(home === undefined ? [] : [path.join(home, rules.below)]),
  ];
  const extension = rules.format === 'toml' ? '.toml' : '.md';
  const taken = new Map<string, string>();
  const items: Item[] = [];
  for (const file of new Set(dirs.flatMap((dir) => files.below(dir, extension)))) {
    const read = files.read(file);
    if (read === undefined) continue;
    const own = describe(rules, file, read, readers);
    const about = { kind: 'subagent', name: own.name ?? path.basename(file, extension), path: file } as const;
    const missing = own.name === undefined ? 'name' : own.description === undefined ? 'description' : undefined;
    if ('trouble' in read) items.push(unreadable(about, read.trouble));
    else if (missing !== undefined)
      items.push(
        absent({
          ...about,
          status: 'not-read',
          reason: `${agent} leaves out a subagent without a ${missing}`,
          fix: `Add a ${missing} to ${file}`,
        }),
      );
    else {
      const winner = taken.get(about.name);
      taken.set(about.name, winner ?? file);
      const first = items.find((each) => each.path === winner);
      if (first && winner !== undefined && dirs.some((dir) => isInside(dir, winner) && isInside(dir, file))) {
        first.exact = false;
        first.reason = `${agent} may take ${file} instead, which has the same name`;
        first.fix = 'Give one of them another name';
      }
      items.push(
        winner === undefined
          ? item({ ...about, characters: lineOf(rules, own).length, exact: rules.isExact, status: 'loaded' })
          : absent({
              ...about,
              status: 'not-read',
              reason: `${agent} takes ${winner}, which has the same name`,
              fix: 'Give it another name',
            }),
      );
    }
  }
  const builtIn = Object.entries(rules.builtIn).filter(([name]) => !taken.has(name));
  const trusted = rules.ifTrusted;
  return [
    ...(builtIn.length === 0
      ? []
      : [
          item({
            kind: 'subagent',
            name: `${builtIn.length} built-in subagents`,
            characters: builtIn.reduce((sum, [, size]) => sum + size, 0),
            exact: false,
            status: 'loaded',
          }),
        ]),
    ...items,
    ...(trusted === undefined ? [] : at.folders.flatMap((dir) => files.below(path.join(dir, trusted), extension))).map(
      (file) =>
        unreadable(
          { kind: 'subagent', name: path.basename(file, extension), path: file },
          `${agent} reads it only in a project that it trusts`,
        ),
    ),
  ];
}

function unreadable(about: Pick<Item, 'kind' | 'name' | 'path'>, reason: string): Item {
  return item({ ...about, characters: null, exact: false, status: 'unknown', reason });
}

function describe(
  rules: SubagentRules,
  file: string,
  read: MemoryFile,
  { parseToml, readFrontmatter }: Omit<SubagentSources, 'at' | 'files'>,
): Described {
  if ('trouble' in read) return { name: undefined, description: undefined, tools: '' };
  const data = rules.format === 'toml' ? (parseToml(read.text) ?? {}) : (readFrontmatter(read.text)?.data ?? {});
  const text = (key: string): string | undefined => {
    const value = data[key];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  // opencode takes the name of the file.
  const name = rules.line.includes('{tools}') || rules.format === 'toml' ? text('name') : path.basename(file, '.md');
  return {
    name,
    description: text('description')?.replaceAll('\\n', '\n'),
    tools: toolsText(listOf(data['tools']), listOf(data['disallowedTools'])),
  };
}

function toolsText(tools: readonly string[], without: readonly string[]): string {
  const isAll = tools.length === 0 || tools.includes('*');
  if (isAll) return without.length === 0 ? 'All tools' : `All tools except ${without.join(', ')}`;
  return tools.filter((tool) => !without.includes(tool)).join(', ') || 'None';
}

function listOf(value: unknown): string[] {
  const all = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return all.map((each) => String(each).trim()).filter((each) => each !== '');
}

function lineOf({ line }: SubagentRules, { name = '', description = '', tools }: Described): string {
  return line
    .replaceAll('{name}', () => name)
    .replaceAll('{tools}', () => tools)
    .replaceAll('{description}', () => description);
}

/** Commands of Claude Code are lines in its list of skills. */
export function commandItems(
  rules: NonNullable<ContextRules['commands']>,
  { at, files, readFrontmatter }: Omit<SubagentSources, 'parseToml'>,
): Item[] {
  const home = homeFolder(at, rules.home.folder, rules.home.variable);
  const dirs = [
    ...at.folders.map((dir) => path.join(dir, rules.project)),
    ...(home === undefined ? [] : [path.join(home, 'commands')]),
  ];
  const taken = new Set<string>();
  return [...new Set(dirs.flatMap((dir) => files.below(dir, '.md')))].flatMap((file) => {
    const read = files.read(file);
    const name = path.basename(file, '.md');
    const about = { kind: 'command', name, path: file } as const;
    if (read === undefined || taken.has(name)) return [];
    taken.add(name);
    if ('trouble' in read) return [unreadable(about, read.trouble)];
    const head = readFrontmatter(read.text);
    const given = isRecord(head?.data) ? head.data['description'] : undefined;
    if (head?.data['disable-model-invocation'] === true)
      return [absent({ ...about, status: 'not-read', reason: 'only a person can start it' })];
    const body = read.text.slice(head?.bodyStart ?? 0).trimStart();
    const description = oneLine(typeof given === 'string' ? given : (body.split('\n', 1)[0] ?? ''));
    return [item({ ...about, characters: `- ${name}: ${description}\n`.length, exact: false, status: 'loaded' })];
  });
}
