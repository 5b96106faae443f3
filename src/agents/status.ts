export const STATUSES = [
  'seen',
  'shortened',
  'name-only',
  'other-copy',
  'disabled',
  'manual-only',
  'broken',
  'not-read',
  'unknown',
] as const;
/** Status of one copy of a skill in one agent. */
export type Status = (typeof STATUSES)[number];

/** Whether the skill is in the agent's list, with its full description, a part of it or only its name. */
export function isListed(status: Status | undefined): boolean {
  return status === 'seen' || status === 'shortened' || status === 'name-only';
}
