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

/** Whether the agent's list contains the copy, in full or in part. */
export function isListed(status: Status): boolean {
  return status === 'seen' || status === 'shortened' || status === 'name-only';
}
