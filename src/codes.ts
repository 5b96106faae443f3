/** All rules of all modules, for the reference page and for SARIF. */
import * as agents from './agents/codes.ts';
import * as clients from './clients/codes.ts';
import type { Rule } from './core/diagnostics.ts';
import * as shared from './hub/codes.ts';
import { SCAN_RULES } from './scan/rules/index.ts';
import { SKILL_RULES } from './skills/rules/index.ts';
import * as configuration from './workspace/codes.ts';
import { SPEC_CODES } from './specs/rules/index.ts';

export const CODES = {
  Skills: SKILL_RULES,
  'Security findings': SCAN_RULES,
  'Specs and changes': SPEC_CODES,
  Agents: Object.values(agents),
  'Shared catalogs': Object.values(shared),
  'MCP clients': Object.values(clients),
  Configuration: Object.values(configuration),
} satisfies Record<string, readonly Rule[]>;

export const ALL_CODES: readonly Rule[] = Object.values(CODES).flat();
