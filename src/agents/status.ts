/** In the order of counts and legends: from fully listed to unknown. */
export const STATUSES = [
  'seen',
  'shortened',
  'name-only',
  'other-text',
  'dropped',
  'other-copy',
  'disabled',
  'manual-only',
  'broken',
  'not-read',
  'unknown',
] as const;
/** Status of one copy of a skill in one agent. */
export type Status = (typeof STATUSES)[number];

/** Key of each status in counts. */
export const COUNT_KEYS = {
  seen: 'seen',
  shortened: 'shortened',
  'name-only': 'nameOnly',
  'other-text': 'otherText',
  dropped: 'dropped',
  'other-copy': 'otherCopy',
  disabled: 'disabled',
  'manual-only': 'manualOnly',
  broken: 'broken',
  'not-read': 'notRead',
  unknown: 'unknown',
} as const satisfies Record<Status, string>;
export type Counts = Record<(typeof COUNT_KEYS)[Status], number>;

const LISTED: ReadonlySet<Status | undefined> = new Set<Status>(['seen', 'shortened', 'name-only', 'other-text']);

/** Whether the skill is in the agent's list: with its description, a part of it, another text or only its name. */
export function isListed(status: Status | undefined): boolean {
  return LISTED.has(status);
}

/** Whether the skill is in the agent's list without its full description. */
export function isCut(status: Status | undefined): boolean {
  return isListed(status) && status !== 'seen';
}

export function countOf(counts: Counts, isCounted: (status: Status) => boolean): number {
  return STATUSES.reduce((sum, status) => sum + (isCounted(status) ? counts[COUNT_KEYS[status]] : 0), 0);
}
