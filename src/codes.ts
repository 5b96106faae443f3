/** Every diagnostic code of every room, for the reference pages and for SARIF. */
import type { CodeDefinition } from './core/diagnostics.ts';
import { CLIENT_CODES } from './clients/codes.ts';
import { READER_CODES } from './skills/codes.ts';
import { SKILL_RULES } from './skills/rules/index.ts';
import { SPEC_CODES } from './specs/all-codes.ts';

export const ALL_CODES: readonly CodeDefinition[] = [...READER_CODES, ...SKILL_RULES, ...SPEC_CODES, ...CLIENT_CODES];
