import { Failure } from '../core/failure.ts';
import { reportOf } from '../core/report.ts';
import { PROFILES } from '../skills/rules/subject.ts';
import { defineOperation } from './define.ts';
import { REPORT, SARIF, SHOWN } from './shapes.ts';

export const validateSkills = defineOperation({
  name: 'validate_skills',
  title: 'Validate skills',
  summary: 'Validate skills (with --all, specs and changes too)',
  params: {
    target: {
      type: 'text',
      positional: true,
      help: 'A skill’s name, its folder or its SKILL.md, or a folder of skills; without it, the skills of this project',
    },
    all: { type: 'flag', default: false, help: 'Validate all skills, specs and changes' },
    profile: {
      type: 'choice',
      choices: PROFILES,
      default: 'spec',
      help: 'Apply the rules of the specification, of an agent or of MCP',
    },
    strict: { type: 'flag', default: false, help: 'Treat warnings as errors' },
    ...SHOWN,
    sarif: SARIF,
  },
  output: REPORT,
  reads: 'all',
  collections: true,
  command: {
    name: 'validate',
    group: 'Check',
    completes: 'skills',
    examples: [
      ['lectern validate', 'validate the skills of this project'],
      ['lectern validate ./skills/pdf --strict', 'validate one folder, and fail on warnings'],
      ['lectern validate --all --profile claude', 'validate everything with Claude Code’s rules'],
      ['lectern validate --all --quiet', 'print nothing if all is valid'],
      ['lectern validate --sarif > lectern.sarif', 'write a file for code scanning'],
    ],
  },
  library: 'validate',
  async run({ target, all, profile, strict }, workspace) {
    if (all && target !== undefined)
      throw new Failure('USAGE', '--all and a target cannot be combined.', { hint: 'Leave out one of the two.' });
    const { judgeSkills } = await import('../workspace/judge-skills.ts');
    const skills = await judgeSkills({ target, all, profile }, workspace);
    if (!all) return reportOf(skills, { strict, noun: 'skill' });
    const { judgeChanges, judgeSpecs } = await import('../specs/validate.ts');
    const catalog = await workspace.snapshot.specs();
    return reportOf([...skills, ...judgeSpecs(catalog), ...judgeChanges(catalog)], { strict });
  },
  hasErrors: ({ valid }) => !valid,
});
