import { ALL_AGENTS } from '../skills/roots/agents.ts';
import type { PlaceRule } from './profile.ts';

/** Creates the rule for a skill folder, with its provider in the catalog. */
export function place(
  where: PlaceRule['in'],
  below: string,
  rank: number,
  more: Pick<PlaceRule, 'variable' | 'part' | 'builtIn' | 'among'> = {},
): PlaceRule {
  return { in: where, below, provider: providerOf(below), rank, ...more };
}

function providerOf(below: string): string {
  const agent = ALL_AGENTS.find(({ project, user }) => project.includes(below) || user.includes(below));
  return agent?.name ?? /^\.?([\w-]+)/u.exec(below)?.[1] ?? below;
}
