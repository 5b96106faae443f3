/** The data that all parts of the page of a skill get. */
import type { AnswerOf } from '../../../operations/perform.ts';
import type { showSkill } from '../../../operations/show-skill.ts';
import type { SourceFacts } from '../../catalog/list-sources.ts';
import type { Here } from '../../here.ts';

export type Details = AnswerOf<typeof showSkill>;

export interface Shown {
  details: Details;
  /** Distinguishes this copy in addresses, in addition to the full name. */
  copy: string | undefined;
  /** The source that contains it, in a shared catalog. */
  source: SourceFacts | undefined;
  here: Here;
}
