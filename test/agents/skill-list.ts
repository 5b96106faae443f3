/** The list of skills that an agent puts in front of its model, and the one that `lectern agents` predicts, line by line. */
import fs from 'node:fs';
import { z } from 'zod';
import { grouped } from '../../src/core/text.ts';
import { type Project, project, type ProjectFiles } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import type { TempFolder } from '../support/temp-folder.ts';
import type { ListedAgent } from './agents.ts';
import { startFakeModel } from './fake-model.ts';
import { homeOf, startIn } from './run-agent.ts';

/** A home and a project, and where the agent is started. */
export interface Scene {
  files: ProjectFiles;
  /** The working folder; `project` by default. */
  in?: string;
}

export interface Comparison {
  /** The lines in front of the model, with the temporary folder left out of the paths. */
  shown: string[];
  /** The same as `lectern agents` says it will be. */
  predicted: string[];
  /** Names with several copies, of which the agent does not determine the winner. */
  open: string[];
  /** Names and folders of skills of which it is unknown whether the agent lists them. */
  unknown: string[];
  /** For people: how many skills there are in the list, and how many of them are not whole. */
  summary: string;
}

const Prediction = z.object({
  agent: z.object({ found: z.boolean() }),
  entries: z.array(
    z.object({
      name: z.string(),
      path: z.string().nullable(),
      status: z.string(),
      text: z.string(),
      builtIn: z.literal(true).optional(),
    }),
  ),
  hidden: z.array(z.object({ name: z.string(), path: z.string(), status: z.string() })),
});
type Predicted = z.infer<typeof Prediction>['entries'][number];

/** Placeholder for the description of a built-in skill. */
const OWN = '(built in)';

/** A scene on disk in which the agent can be started several times. */
export interface OpenScene extends AsyncDisposable {
  folder: Project & TempFolder;
  /** Compares the lists now. */
  compare(): Promise<Comparison>;
}

export async function openScene(agent: ListedAgent, { files, in: below = 'project' }: Scene): Promise<OpenScene> {
  const folder = project(files, 'disk');
  const model = await startFakeModel({ find: () => undefined, input: {} });
  writeSettings(folder, agent.settings(model.url, folder));
  return {
    folder,
    async compare() {
      const { entries, hidden } = await predict(folder, agent, below);
      const before = model.asked.length;
      const ended = await startIn(folder, agent, agent.lists ?? agent.args, model.url, below);
      const texts = model.asked.slice(before).flatMap(({ body }) => stringsIn(body));
      // A file that links lead to twice has two paths, and opencode shows either.
      const real = (line: string): string =>
        agent.client === 'opencode' || agent.client === 'kilo'
          ? line.replace(/(?<=\(file: )[^)]+(?=\)$)/u, (file) => fs.realpathSync(file))
          : line;
      const short = (line: string): string => real(line).replaceAll(folder.dir, '');
      const isOfHome = ({ path }: Predicted): boolean => path?.startsWith(folder.at('home')) === true;
      const own = new Set(entries.filter(({ builtIn }) => builtIn).map(({ name }) => name));
      const read = LISTS[agent.client].read(texts, own);
      // Some agents leave out a list without entries.
      const shown = read ?? (texts.length > 0 && entries.length === 0 ? [] : undefined);
      if (shown === undefined)
        throw new Error(`no list of skills; exit ${ended.exitCode}: ${ended.output.slice(-2_000)}`);
      const mine = entries.filter(({ builtIn }) => !builtIn);
      const unknown = hidden.filter(({ status }) => status === 'unknown');
      return {
        unknown: unknown.flatMap(({ name, path }) => [name, path.split('/').at(-1) ?? '']),
        shown: shown.map(short),
        predicted: entries.map((entry) => short(LISTS[agent.client].line(entry, isOfHome(entry)))),
        open: mine.filter(({ status }) => status === 'unknown').map(({ name }) => name),
        summary: [
          `${grouped(mine.length)} listed`,
          ...(['shortened', 'name-only'] as const).flatMap((status) => {
            const number = mine.filter((entry) => entry.status === status).length;
            return number === 0 ? [] : [`${grouped(number)} ${status === 'shortened' ? 'shortened' : 'by name only'}`];
          }),
        ].join(', '),
      };
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** `isFoundAfterwards`: whether `lectern agents` finds the agent by its files in the home, from a folder of no project. */
export async function compareLists(
  agent: ListedAgent,
  scene: Scene,
): Promise<Comparison & { isFoundAfterwards: boolean }> {
  await using open = await openScene(agent, scene);
  const compared = await open.compare();
  open.folder.write({ 'elsewhere/nothing': '' });
  const { agent: left } = await predict(open.folder, agent, 'elsewhere');
  return { ...compared, isFoundAfterwards: left.found };
}

/** Agents that read files in parallel, so that the order inside a folder changes. */
const UNORDERED: ReadonlySet<ListedAgent['client']> = new Set(['gemini', 'continue', 'cline']);

/** What does not change from run to run, of the lines of both. Skills with an unknown status are left out. */
export function settled(
  { client }: ListedAgent,
  { shown, predicted, open, unknown }: Comparison,
): [string[], string[]] {
  const listed = new Set(predicted.map(nameIn));
  const isOpen = (line: string): boolean => unknown.includes(nameIn(line)) && !listed.has(nameIn(line));
  const alike = (lines: readonly string[]): string[] => {
    const known = lines
      .filter((line) => !isOpen(line))
      .map((line) => {
        const name = open.find((each) => line.startsWith(`- ${each}: `));
        return name === undefined ? line : `- ${name}: one of several copies`;
      });
    // The order inside a folder is that in which its reads end.
    return UNORDERED.has(client) ? known.sort() : known;
  };
  return [alike(shown), alike(predicted)];
}

const nameIn = (line: string): string => /^- (.*?)(?:: | \(built in\)$|$)/su.exec(line)?.[1] ?? '';

/** Before the agent runs for the first time, as a user would ask. */
async function predict(folder: TempFolder, agent: ListedAgent, below: string): Promise<z.infer<typeof Prediction>> {
  const answer = await lectern(folder, ['agents', agent.client, '--json'], {
    cwd: folder.at(below),
    env: { ...homeOf(folder), ...agent.environment('') },
  });
  return Prediction.parse(JSON.parse(answer.stdout));
}

/** The settings that make the agent ask our model, together with those of the scene. */
export function writeSettings(folder: TempFolder, settings: Record<string, string>): void {
  for (const [name, text] of Object.entries(settings)) {
    const more = fs.existsSync(folder.at(name)) ? fs.readFileSync(folder.at(name), 'utf8') : undefined;
    if (more === undefined) folder.write({ [name]: text });
    // Keys without a table come first.
    else if (name.endsWith('.toml'))
      folder.write({ [name]: more.startsWith('[') ? `${text}\n${more}` : `${more}\n${text}` });
    else folder.write({ [name]: JSON.stringify({ ...JSON.parse(text), ...JSON.parse(more) }) });
  }
}

interface ListForm {
  /** The lines in the texts that the model got; undefined if none of them has the list. */
  read(texts: readonly string[], own: ReadonlySet<string>): string[] | undefined;
  line(entry: Predicted, isOfHome: boolean): string;
}

/** Returns the part of a text between two others, or undefined if one of them is missing. */
function between(text: string, start: string, end: string): string | undefined {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from + start.length);
  return from < 0 || to < 0 ? undefined : text.slice(from + start.length, to);
}

const UNESCAPED: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", amp: '&' };
const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|apos|#39|amp);/gu, (_, name: string) => UNESCAPED[name] ?? '');

const NAMES_ONLY = 'Additional skills available (invoke by name): ';

/** `<skill>` elements with a name, a description and a location, which is the file or the kind of its place. */
const inMarkup = (
  form: { escapes?: 'all' | 'paths'; placed?: { own: string; home: string; here: string }; suffix?: true } = {},
): ListForm => {
  const { placed } = form;
  const ending = (file: string): string => (placed ? `(${file})` : `(file: ${file})`);
  return {
    read(texts, own) {
      const text = texts.find((each) => each.includes('<available_skills>\n'));
      const list = text?.slice(text.indexOf('<available_skills>\n'), text.lastIndexOf('</available_skills>'));
      const lines = list?.split('<skill>\n').slice(1);
      // Copilot CLI lists the names of entries that do not fit, and counts those that do not fit either.
      const named = list === undefined ? undefined : between(list, NAMES_ONLY, '\n');
      const more = named?.replace(/\.\.\. and \d+ more$/u, '').split(', ');
      const names = more?.map((name) => `- ${name} ${own.has(name) ? OWN : ''}`.trim());
      const whole = lines?.map((each) => {
        const value = (key: string): string => {
          const inside = between(each, `<${key}>`, `</${key}>`) ?? '';
          const bare = form.suffix ? inside.slice(1, -1) : inside;
          return form.escapes === 'all' || (form.escapes === 'paths' && key === 'location') ? unescaped(bare) : bare;
        };
        const [name, description, file] = [value('name'), value('description'), value('location')];
        if (placed ? file === placed.own : own.has(name)) return `- ${name} ${OWN}`;
        const shown = form.suffix ? description.slice(0, description.lastIndexOf(' (')) : description;
        return `- ${name}: ${shown} ${ending(file)}`;
      });
      return whole && [...whole, ...(names ?? [])];
    },
    line: ({ name, path, text, status, builtIn }, isOfHome) =>
      builtIn
        ? `- ${name} ${OWN}`
        : status === 'name-only' && placed
          ? `- ${name}`
          : `- ${name}: ${text} ${ending(placed ? (isOfHome ? placed.home : placed.here) : `${path}/SKILL.md`)}`,
  };
};

const LISTS: Record<ListedAgent['client'], ListForm> = {
  claude: {
    read(texts, own) {
      const head = 'The following skills are available for use with the Skill tool:\n\n';
      const text = texts.find((each) => each.includes(head));
      const list = text?.slice(text.indexOf(head) + head.length).split('\n\n')[0];
      // Descriptions of its own skills may have several lines.
      return list
        ?.split('\n')
        .filter((line) => line.startsWith('- '))
        .map((line) => {
          const name = line.slice(2).split(': ')[0] ?? '';
          return own.has(name) ? `- ${name} ${line === `- ${name}` ? '' : OWN}` : line;
        });
    },
    line: ({ name, text, status, builtIn }) =>
      builtIn ? `- ${name} ${status === 'name-only' ? '' : OWN}` : text === '' ? `- ${name}` : `- ${name}: ${text}`,
  },
  codex: {
    read(texts, own) {
      const text = texts.find((each) => each.includes('### Available skills\n'));
      if (text === undefined) return undefined;
      const roots = new Map([...text.matchAll(/^- `(r\d+)` = `(.*)`$/gmu)].map(([, id = '', dir = '']) => [id, dir]));
      const lines = text.slice(text.indexOf('### Available skills\n')).split('\n').slice(1);
      return lines
        .filter((line) => line.startsWith('- '))
        .map((line) => {
          const name = line.slice(2).split(': ')[0] ?? '';
          if (own.has(name) && /\(file: \S*\/skills\/\.system\/|\(file: r\d+\//u.test(line)) {
            const root = roots.get(/\(file: (r\d+)\//u.exec(line)?.[1] ?? '');
            if (root?.endsWith('.system')) return `- ${name} ${OWN}`;
          }
          return line.replace(/\(file: (r\d+)\//u, (_, id: string) => `(file: ${roots.get(id) ?? id}/`);
        });
    },
    line: ({ name, path, text, builtIn }) =>
      builtIn ? `- ${name} ${OWN}` : `- ${name}: ${text === '' ? '' : `${text} `}(file: ${path}/SKILL.md)`,
  },
  opencode: inMarkup({ escapes: 'paths' }),
  gemini: inMarkup({ escapes: 'paths' }),
  kilo: inMarkup(),
  pi: inMarkup({ escapes: 'all' }),
  qwen: inMarkup({ escapes: 'all', placed: { own: 'bundled', home: 'user', here: 'project' }, suffix: true }),
  copilot: inMarkup({ escapes: 'all', placed: { own: 'builtin', home: 'user', here: 'project' } }),
  kimi: {
    read(texts, own) {
      const text = texts.find((each) => each.includes('Current available skills:\n'));
      const list = text
        ?.slice(text.indexOf('Current available skills:\n'))
        .split(/\n(?=- )/u)
        .slice(1);
      return list?.map((each) => {
        const name = /^- (.*?): /su.exec(each)?.[1] ?? '';
        const [line = '', file = ''] = each.split('\n  Path: ');
        return own.has(name) && file.startsWith('builtin:')
          ? `- ${name} ${OWN}`
          : `${line} (file: ${file.split('\n')[0]})`;
      });
    },
    line: ({ name, path, text, builtIn }) =>
      builtIn ? `- ${name} ${OWN}` : `- ${name}: ${text} (file: ${path}/SKILL.md)`,
  },
  cline: {
    read(texts) {
      const text = texts.find((each) => each.includes('invoking this tool is a blocking requirement'));
      if (text === undefined) return undefined;
      const list = between(`${text}\n`, 'Available skills: ', '.\n');
      return list === undefined ? [] : list.split(', ').map((name) => `- ${name}`);
    },
    line: ({ name }) => `- ${name}`,
  },
  continue: {
    read(texts) {
      const text = texts.find((each) => each.startsWith('Use this tool to read the content of a skill by its name.'));
      const list = text?.split('\nname: ').slice(1);
      return list?.map((each) => {
        const [name = '', description = ''] = each.split('\ndescription: ');
        return `- ${name}: ${description.replace(/\n,?\n?$/u, '')}`;
      });
    },
    line: ({ name, text }) => `- ${name}: ${text}`,
  },
};

export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
