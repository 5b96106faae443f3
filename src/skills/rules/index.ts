/** All rules for skills. Every export of the imported files is a rule, so a new rule needs no other edit. */
import type { Rule } from '../../core/diagnostics.ts';
import * as reader from '../codes.ts';
import * as description from './description.ts';
import * as fields from './fields.ts';
import * as name from './name.ts';
import * as packaging from './package.ts';
import type { CheckedSkill, Profile } from './subject.ts';
import * as text from './text.ts';

export const SKILL_RULES: readonly Rule<CheckedSkill, Profile>[] = [
  reader,
  name,
  fields,
  description,
  text,
  packaging,
].flatMap((file) => Object.values<Rule<CheckedSkill, Profile>>(file));
