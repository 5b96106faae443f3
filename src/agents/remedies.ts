/** Suggests remedies for a list that is too long, with the gain of each. Gains are computed by rebuilding the list. */
import { type Seen, seenBy } from './seen-by.ts';
import type { AgentSettings } from './settings.ts';
import type { Survey } from './survey.ts';

export interface Remedy {
  fix: string;
  /** Number of additional skills that are listed with their full description. */
  gains: number;
}

/** `now` is the current list of the agent. */
export function remedies(now: Seen, survey: Survey, settings: AgentSettings, window?: number): Remedy[] {
  const { profile, budget } = now;
  const { wanted: needed } = budget;
  if (budget.limit === null || needed <= budget.limit) return [];
  const before = wholeIn(now);
  const withSettings = (fix: string, more: Partial<AgentSettings>): Remedy => ({
    fix,
    gains: wholeIn(seenBy(profile, survey, { ...settings, ...more }, window)) - before,
  });
  const found: Remedy[] = [];
  if (profile.id === 'claude') {
    const fraction =
      Math.ceil(((settings.fraction ?? profile.budget.fraction ?? 0) * needed * 1000) / budget.limit) / 1000;
    found.push(
      withSettings(`Set "skillListingBudgetFraction": ${fraction} in ~/.claude/settings.json`, {
        fraction,
        limit: undefined,
      }),
    );
    found.push(withSettings('Set "disableBundledSkills": true in ~/.claude/settings.json', { withoutBuiltIn: true }));
    found.push(
      withSettings(`Shorten every description to ${SHORT_CHARACTERS} characters`, { ownMax: SHORT_CHARACTERS }),
    );
  } else if (profile.id === 'codex') {
    const limit = Math.min(10_000, needed);
    found.push(withSettings(`Set max_context_tokens = ${limit} under [skills] in ~/.codex/config.toml`, { limit }));
    found.push(
      withSettings(`Shorten every description to ${SHORT_CHARACTERS} characters`, { ownMax: SHORT_CHARACTERS }),
    );
  }
  return found.filter(({ gains }) => gains > 0);
}

const SHORT_CHARACTERS = 100;

function wholeIn({ entries }: Seen): number {
  return entries.filter(({ verdict, isWhole }) => verdict !== undefined && isWhole).length;
}
