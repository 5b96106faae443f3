/** Every diagnostic code of every room, for the reference pages and for SARIF. */
import type { CodeDefinition } from './core/diagnostics.js';
import { CLIENT_CODES } from './clients/codes.js';
import { READER_CODES } from './skills/codes.js';
import { SKILL_RULES } from './skills/rules/index.js';
import { SPEC_CODES } from './specs/all-codes.js';

export const ALL_CODES: readonly CodeDefinition[] = [...READER_CODES, ...SKILL_RULES, ...SPEC_CODES, ...CLIENT_CODES];
