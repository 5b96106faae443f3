/** Every code of this room, for the docs and for SARIF. */
import type { CodeDefinition } from '../core/diagnostics.js';
import { READER_CODES } from './codes.js';
import { CHANGE_DELTA_CODES } from './rules/change-deltas.js';
import { PROPOSAL_CODES } from './rules/change-proposal.js';
import { TASK_CODES } from './rules/change-tasks.js';
import { DELTA_ENTRY_CODES } from './rules/delta-entries.js';
import { DELTA_TARGET_CODES } from './rules/delta-target.js';
import { OVERLAP_CODES } from './rules/overlap.js';
import { SCENARIO_CODES } from './rules/scenarios.js';
import { REQUIREMENT_CODES } from './rules/spec-requirements.js';
import { SECTION_CODES } from './rules/spec-sections.js';
import { STRUCTURE_CODES } from './rules/spec-structure.js';
import { TEXT_CODES } from './rules/text.js';

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
