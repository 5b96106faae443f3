import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';

export interface SourceName {
  team: string;
  name: string;
}

/** Pattern for the names of teams and sources. */
export const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/u;

/** The pattern in words. */
export const NAME_RULE =
  'at most 63 lowercase letters, digits, dots, hyphens and underscores, starting with a letter or digit';

/** Parses `team/name`. */
export function parseSourceName(text: string): SourceName {
  const [team = '', name = '', ...rest] = text.split('/');
  if (rest.length === 0 && NAME.test(team) && NAME.test(name)) return { team, name };
  throw new Failure('USAGE', `'${echo(text)}' is not a source name.`, {
    hint: `Write team/name, such as payments/skills. Each part has ${NAME_RULE}.`,
  });
}
