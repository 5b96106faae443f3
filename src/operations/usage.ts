import { flag, integer, list, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { localDay } from '../core/local-day.ts';
import { compareText } from '../core/text.ts';
import { fullNameOf } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import { defineOperation } from './define.ts';

const output = {
  counted: flag('Whether the setting usage is on'),
  file: nullable(text('File with the counts; null if there is no home folder')),
  since: optional(text('First counted day')),
  skills: list(
    object({
      name: text(),
      fullName: text(),
      path: text('Its folder'),
      loads: integer(),
      last: optional(text('The last day it was loaded')),
    }),
    'Skills here, most loaded first',
  ),
  elsewhere: integer('Loads of skills that are not here'),
} as const;
export type UsageOutput = ObjectOf<typeof output>;

const DAY_MS = 24 * 60 * 60 * 1000;

export const usage = defineOperation({
  name: 'usage',
  title: 'Usage',
  summary: 'Show how often each skill was loaded through the MCP server, if loads are counted',
  params: {
    days: {
      type: 'integer',
      min: 1,
      max: LIMITS.usageDays.value,
      placeholder: 'n',
      help: 'Only this many days, including today; all counted days by default',
    },
  },
  output,
  reads: 'skills',
  settings: ['skills', 'filters'],
  command: {
    name: 'usage',
    group: 'Look',
    examples: [
      ['lectern usage', 'show the skills here, most loaded first'],
      ['lectern usage --days 30', 'show only the last 30 days'],
    ],
  },
  library: 'usage',
  async run({ days }, workspace) {
    const { snapshot } = workspace;
    const { file, from, loads, counts } = await loadsIn(workspace, days);
    const all = [...loads.values()].reduce((sum, each) => sum + each.loads, 0);
    const skills = snapshot.view().copies.map((skill) => ({
      name: skill.name,
      fullName: fullNameOf(skill),
      path: skill.dir,
      ...(loads.get(skill.dir) ?? { loads: 0 }),
    }));
    skills.sort((a, b) => b.loads - a.loads || compareText(a.fullName, b.fullName));
    const [since] = [...counts.keys()].filter((day) => from === undefined || day >= from).sort();
    return {
      counted: snapshot.settings.usage.value,
      file: file ?? null,
      ...(since === undefined ? {} : { since }),
      skills,
      elsewhere: all - skills.reduce((sum, each) => sum + each.loads, 0),
    };
  },
});

/** The counted loads by the folder of the skill. */
interface Loads {
  file: string | undefined;
  /** The first day of the period. Undefined for all days. */
  from: string | undefined;
  loads: ReadonlyMap<string, { loads: number; last: string }>;
  counts: ReadonlyMap<string, unknown>;
}

/** Reads the loads of the last days, or of all counted days. */
export async function loadsIn({ disk, options }: Reader, days?: number): Promise<Loads> {
  const { loadsByFolder, readUsage, usageFile } = await import('../workspace/usage.ts');
  const file = usageFile(disk, options);
  const counts = file === undefined ? new Map() : readUsage(disk, file);
  const from = days === undefined ? undefined : localDay(new Date(Date.now() - (days - 1) * DAY_MS));
  return { file, from, loads: loadsByFolder(counts, from), counts };
}

/** Returns the folders whose skill was never loaded through the server, or undefined if loads are not counted. */
export async function neverLoaded(workspace: Reader, folders: readonly string[]): Promise<string[] | undefined> {
  if (!workspace.snapshot.settings.usage.value) return undefined;
  const { loads } = await loadsIn(workspace);
  return loads.size === 0 ? undefined : folders.filter((dir) => !loads.has(dir));
}
