/** The number of problems is the same wherever it is shown. */
import { describe, expect, test } from 'vitest';
import { doctor } from '../../src/operations/doctor.ts';
import { overview } from '../../src/operations/overview.ts';
import { validateSkills } from '../../src/operations/validate-skills.ts';
import { renderDoctor } from '../../src/render/doctor.ts';
import { makeStyle } from '../../src/render/style.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { project, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { CAP, requirement } from '../support/spec-text.ts';

const CHANGES = 'project/openspec/changes';
const TOUCHED = `## MODIFIED Requirements\n${requirement('Beta', { scenarios: ['B'] })}\n`;

const CLEAN: ProjectFiles = {
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  'project/openspec/specs/cap/spec.md': CAP,
};
const TROUBLED: ProjectFiles = {
  ...CLEAN,
  // A name that differs from its folder, a file without a header, and a name of two agents.
  'project/.claude/skills/wrong/SKILL.md': skillText({ name: 'right' }),
  'project/.claude/skills/bare/SKILL.md': 'No header.\n',
  'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Another way.' }),
  // A spec that is not valid, two changes of one requirement, and a change with an unknown target.
  'project/openspec/specs/bad/spec.md': '# Bad\n\n## Requirements\n',
  [`${CHANGES}/one/specs/cap/spec.md`]: TOUCHED,
  [`${CHANGES}/two/specs/cap/spec.md`]: TOUCHED,
  [`${CHANGES}/three/specs/cap/spec.md`]: TOUCHED.replace('Beta', 'Missing'),
  // A setting that does not exist, and a client whose file cannot be used.
  'project/.lectern/config.json': '{ "nonsense": true }',
  'home/.cursor/mcp.json': '{',
};

async function totals(workspace: Workspace): Promise<Record<string, string>> {
  const shown = await ask(overview, {}, workspace);
  const { counts } = await ask(doctor, {}, workspace);
  const report = await ask(validateSkills, { all: true }, workspace);
  return {
    overview: `${shown.errors} ${shown.warnings}`,
    doctor: `${counts.errors} ${counts.warnings}`,
    validate: `${report.errors.length} ${report.warnings.length}`,
  };
}

describe('the count of problems', () => {
  test.each([
    ['a clean project', CLEAN, false],
    ['a troubled one', TROUBLED, true],
  ])('is the same in the overview, doctor and validate --all of %s', async (_, files, hasProblems) => {
    const workspace = await project(files).open();
    const { overview: first, ...others } = await totals(workspace);
    expect(new Set(Object.values(others))).toEqual(new Set([first]));
    expect(first === '0 0').toBe(!hasProblems);
  });

  test('has every kind of problem, and those that belong to no item do not change the verdict', async () => {
    const workspace = await project(TROUBLED).open();
    const { errors, warnings } = await ask(validateSkills, { all: true }, workspace);
    const codes = new Set([...errors, ...warnings].map(({ code }) => code));
    for (const code of ['name-ambiguous', 'client-config-unusable', 'requirement-contested', 'delta-target-missing'])
      expect(codes).toContain(code);
    const files = { ...CLEAN, 'project/.lectern/config.json': '{ "nonsense": true }' };
    const report = await ask(validateSkills, { all: true, strict: true }, await project(files).open());
    expect(report).toMatchObject({ valid: true });
    expect([...report.errors, ...report.warnings]).toHaveLength(1);
    expect(report.items.map(({ type }) => type)).toEqual(['skill', 'spec']);
  });

  test('doctor lists its own problems and says where the others are', async () => {
    const workspace = await project({ ...CLEAN, 'project/openspec/specs/bad/spec.md': '# Bad\n' }).open();
    const data = await ask(doctor, {}, workspace);
    expect(data.ok).toBe(false);
    expect(renderDoctor(data, makeStyle({ color: false }), { verbose: false })).toMatch(
      /✗ \d+ errors?, 0 warnings\n\d+ more in skills, specs and changes; lectern validate --all/u,
    );
  });
});
