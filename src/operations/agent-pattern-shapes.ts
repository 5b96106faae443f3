/** Fields of the patterns in the agent matrix. */
import type { Verdict } from '../agents/seen-by.ts';
import type { Copy } from '../agents/survey.ts';
import { flag, integer, list, map, object, optional, text } from '../core/fields/field.ts';
import { STATUS } from './agent-shapes.ts';

const PLACES = {
  folders: list(text(), 'Folders that have them'),
  marketplaces: optional(list(text(), 'Marketplaces of the plugins that have them; the plugin if it has none')),
} as const;

export const PATTERN = {
  status: map(STATUS, 'By agent'),
  ...PLACES,
  versions: optional(flag('Set if agents list different versions of each of these skills')),
  total: integer('Number of skills'),
  skills: list(object({ name: text(), fullName: text(), path: text() }), 'The first of these skills'),
} as const;

export const GAP = {
  total: integer('Number of skills'),
  ...PLACES,
  seenBy: list(text(), 'Agents that list these skills'),
  agents: list(text(), 'Agents that do not read them'),
  command: text('Shares the skills with these agents'),
  shared: integer('Number of skills in the command'),
} as const;

export const PATTERNS = {
  patterns: optional(list(object(PATTERN), 'With by: pattern, the patterns, largest first')),
  patternTotal: optional(integer('With by: skill or pattern, the number of patterns')),
  gap: optional(
    object(GAP, 'With by: pattern, the largest pattern that some agents list, others do not read and share can close'),
  ),
} as const;

/** A row of the matrix, with the verdict of each agent. */
export interface MatrixRow {
  copies: readonly [Copy, ...Copy[]];
  verdicts: readonly (Verdict | undefined)[];
  /** Agents list different versions. */
  hasVersions: boolean;
}
