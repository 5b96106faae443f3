import * as z from 'zod';
import { PROFILES } from '../skills/rules/subject.ts';
import { defineOperation } from './define.ts';
import { ValidationReport } from './schemas.ts';
import { validateSkillsNow } from './work/validate-skills.ts';

export const validateSkills = defineOperation({
  name: 'validate_skills',
  title: 'Validate skills',
  summary: 'Holds skills against the rules of a profile and says what to correct, and where.',
  input: z.strictObject({
    target: z
      .string()
      .optional()
      .describe(
        'A skill’s name, its folder, its SKILL.md, or a folder of skills; without it, the skills of this project',
      ),
    all: z.boolean().default(false).describe('Every skill that can be found'),
    profile: z.enum(PROFILES).default('spec'),
    strict: z.boolean().default(false).describe('Warnings make it fail'),
  }),
  output: ValidationReport,
  readOnly: true,
  run: validateSkillsNow,
});
