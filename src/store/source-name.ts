import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';

export interface SourceName {
  team: string;
  name: string;
}

/** What the names of teams and sources look like. */
export const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/u;

/** The same in words. */
export const NAME_RULE =
  'small letters, digits, dots, hyphens and underscores, at most 63, with a letter or a digit first';

/** `team/name`. */
export function parseSourceName(text: string): SourceName {
  const [team = '', name = '', ...rest] = text.split('/');
  if (rest.length === 0 && NAME.test(team) && NAME.test(name)) return { team, name };
  throw new Failure('USAGE', `'${echo(text)}' is not the name of a source.`, {
    hint: `Write team/name, such as payments/skills. Each of the two has ${NAME_RULE}.`,
  });
}
