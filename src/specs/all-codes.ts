/** Every code of this room, for the docs and for SARIF. */
import type { CodeDefinition } from '../core/diagnostics.ts';
import { READER_CODES } from './codes.ts';
import { CHANGE_DELTA_CODES } from './rules/change-deltas.ts';
import { PROPOSAL_CODES } from './rules/change-proposal.ts';
import { TASK_CODES } from './rules/change-tasks.ts';
import { DELTA_ENTRY_CODES } from './rules/delta-entries.ts';
import { DELTA_TARGET_CODES } from './rules/delta-target.ts';
import { OVERLAP_CODES } from './rules/overlap.ts';
import { SCENARIO_CODES } from './rules/scenarios.ts';
import { REQUIREMENT_CODES } from './rules/spec-requirements.ts';
import { SECTION_CODES } from './rules/spec-sections.ts';
import { STRUCTURE_CODES } from './rules/spec-structure.ts';
import { TEXT_CODES } from './rules/text.ts';

export const SPEC_CODES: readonly CodeDefinition[] = [
  ...READER_CODES,
  ...SECTION_CODES,
  ...STRUCTURE_CODES,
  ...REQUIREMENT_CODES,
  ...SCENARIO_CODES,
  ...TEXT_CODES,
  ...CHANGE_DELTA_CODES,
  ...DELTA_ENTRY_CODES,
  ...DELTA_TARGET_CODES,
  ...TASK_CODES,
  ...PROPOSAL_CODES,
  ...OVERLAP_CODES,
];
