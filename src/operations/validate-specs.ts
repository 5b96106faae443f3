import * as z from 'zod';
import { defineOperation } from './define.ts';
import { ValidationReport } from './schemas.ts';
import { validateChangeNow, validateSpecNow } from './work/validate-specs.ts';

const strict = z.boolean().default(false).describe('Warnings make it fail, as openspec validate --strict does');

export const validateSpec = defineOperation({
  name: 'validate_spec',
  title: 'Validate specs',
  summary: 'Holds specs against OpenSpec’s rules and says what to correct, and where.',
  input: z.strictObject({
    spec_id: z.string().min(1).optional().describe('Only this spec; without it, all of them'),
    strict,
  }),
  output: ValidationReport,
  readOnly: true,
  run: validateSpecNow,
});

export const validateChange = defineOperation({
  name: 'validate_change',
  title: 'Validate changes',
  summary:
    'Holds change proposals against OpenSpec’s rules and the current specs, and says what to correct, and where.',
  input: z.strictObject({
    change_id: z.string().min(1).optional().describe('Only this change; without it, all active ones'),
    strict,
    archived: z.boolean().default(false).describe('The archived changes instead'),
  }),
  output: ValidationReport,
  readOnly: true,
  run: validateChangeNow,
});
