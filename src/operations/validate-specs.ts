import { inSlices } from '../core/breathe.ts';
import { reportOf } from '../core/report.ts';
import { getChange, getSpec } from '../specs/lookup.ts';
import { defineOperation } from './define.ts';
import { named } from './join.ts';
import { CHANGE_ID, REPORT, FORMAT, SHOWN, SPEC_ID } from './shapes.ts';

const STRICT = {
  type: 'flag',
  default: false,
  help: 'Treat warnings as errors, like openspec validate --strict',
} as const;

export const validateSpec = defineOperation({
  name: 'validate_spec',
  title: 'Validate specs',
  summary: 'Validate specs with OpenSpec’s rules, and show how to fix each problem',
  details: 'Use it after editing a spec.',
  params: {
    spec_id: { ...SPEC_ID, required: false, help: 'Only this spec; without it, all of them' },
    strict: STRICT,
    ...SHOWN,
    format: FORMAT,
  },
  output: REPORT,
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'spec validate',
    group: 'Specs and changes',
    completes: 'specs',
    examples: [
      ['lectern spec validate', 'validate all specs'],
      ['lectern spec validate checkout --strict', 'validate one spec, and fail on warnings'],
    ],
  },
  tool: 'specs',
  // Without an ID, only local items are validated, because they can be fixed here.
  join: named('spec_id', { kind: 'spec' }),
  library: 'specs.validateSpecs',
  async run({ spec_id, strict }, workspace) {
    const { judgeSpecs } = await import('../specs/validate.ts');
    const catalog = await workspace.snapshot.specs();
    const only = spec_id === undefined ? undefined : getSpec(catalog, spec_id);
    return reportOf(await inSlices(judgeSpecs(catalog, only)), { strict, noun: 'spec' });
  },
  hasErrors: ({ valid }) => !valid,
});

export const validateChange = defineOperation({
  name: 'validate_change',
  title: 'Validate changes',
  summary: 'Validate change proposals with OpenSpec’s rules and the current specs, and show how to fix each problem',
  details: 'Use it after editing a change.',
  params: {
    change_id: { ...CHANGE_ID, required: false, help: 'Only this change; without it, all active ones' },
    strict: STRICT,
    archived: { type: 'flag', default: false, help: 'Validate the archived changes instead of the active ones' },
    ...SHOWN,
    format: FORMAT,
  },
  output: REPORT,
  reads: 'specs',
  settings: ['specs'],
  command: {
    name: 'change validate',
    group: 'Specs and changes',
    completes: 'changes',
    examples: [
      ['lectern change validate', 'validate all active changes'],
      ['lectern change validate add-wish-list --strict', 'validate one change, and fail on warnings'],
    ],
  },
  tool: 'specs',
  join: named('change_id', { kind: 'change' }),
  library: 'specs.validateChanges',
  async run({ change_id, strict, archived }, workspace) {
    const { judgeChanges } = await import('../specs/validate.ts');
    const catalog = await workspace.snapshot.specs();
    const only = change_id === undefined ? undefined : getChange(catalog, change_id);
    return reportOf(await inSlices(judgeChanges(catalog, { only, archived })), { strict, noun: 'change' });
  },
  hasErrors: ({ valid }) => !valid,
});
