import { flag, integer, list, nullable, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { localDay } from '../core/local-day.ts';
import { compareText } from '../core/text.ts';
import { fullNameOf } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import { defineOperation } from './define.ts';

const output = {
  counted: flag('The setting usage is on'),
  file: nullable(text('Where the counts are; null if there is no home folder')),
  since: optional(text('The first day that is counted')),
  skills: list(
    object({
      name: text(),
      fullName: text(),
      path: text('Its folder'),
      loads: integer(),
      last: optional(text('The last day it was loaded')),
    }),
    'The skills here, the most loaded first',
  ),
  elsewhere: integer('Loads of skills that are not here'),
} as const;
export type UsageOutput = ObjectOf<typeof output>;

const DAY_MS = 24 * 60 * 60 * 1000;

export const usage = defineOperation({
  name: 'usage',
  title: 'Usage',
  summary: 'Show how often each skill was loaded through the MCP server, if that is counted',
  params: {
    days: {
      type: 'integer',
      min: 1,
      max: LIMITS.usageDays.value,
      placeholder: 'n',
      help: 'Only the last days, today included; all that were counted if not given',
    },
  },
  output,
  reads: 'skills',
  settings: ['skills', 'filters'],
  command: {
    name: 'usage',
    group: 'Look',
    examples: [
      ['lectern usage', 'the skills here, the most loaded first'],
      ['lectern usage --days 30', 'in the last 30 days'],
    ],
  },
  library: 'usage',
  async run({ days }, workspace) {
    const { loadsByFolder, readUsage, usageFile } = await import('../workspace/usage.ts');
    const { disk, options, snapshot } = workspace;
    const file = usageFile(disk, options);
    const counts = file === undefined ? new Map() : readUsage(disk, file);
    const from = days === undefined ? undefined : localDay(new Date(Date.now() - (days - 1) * DAY_MS));
    const loads = loadsByFolder(counts, from);
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

/** Returns the folders whose skill was never loaded through the server, or undefined if loads are not counted. */
export async function neverLoaded(
  { disk, options, snapshot }: Reader,
  folders: readonly string[],
): Promise<string[] | undefined> {
  if (!snapshot.settings.usage.value) return undefined;
  const { loadsByFolder, readUsage, usageFile } = await import('../workspace/usage.ts');
  const file = usageFile(disk, options);
  const loads = file === undefined ? undefined : loadsByFolder(readUsage(disk, file));
  return loads === undefined || loads.size === 0 ? undefined : folders.filter((dir) => !loads.has(dir));
}
