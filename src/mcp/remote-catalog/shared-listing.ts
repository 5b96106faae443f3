/** The first skills of a shared catalog visible to a caller: enough for the description of the `skill` tool. */
import { flag, integer, list, object, type ObjectOf, optional, text, choice } from '../../core/fields/field.ts';
import { received } from '../../core/fields/received.ts';
import { LOCATIONS } from '../../skills/skill.ts';

export const LISTING = {
  snapshot: integer(),
  total: integer('Number of skills that models may load'),
  hasSpecs: flag(),
  skills: list(
    object({
      name: text(),
      description: text(),
      location: choice(LOCATIONS),
      provider: text(),
      isOwn: optional(flag('Of the caller’s own team')),
    }),
  ),
} as const;
export type SharedListing = ObjectOf<typeof LISTING>;

/** Returns undefined if the value is not a listing. */
export function checkListing(raw: unknown): SharedListing | undefined {
  const listing = received(LISTING, raw);
  return listing && listing.total >= listing.skills.length ? listing : undefined;
}
