/** The examples of the reference page: each rule fires on its bad example and stays silent on its good one. */
import { describe, expect, test } from 'vitest';
import { ALL_CODES } from '../src/codes.ts';
import type { Example, Rule } from '../src/core/diagnostics.ts';
import { memoryDisk } from '../src/core/disk/memory-disk.ts';
import { validateSkills } from '../src/operations/validate-skills.ts';
import { SCAN_RULES } from '../src/scan/rules/index.ts';
import { scanSkill } from '../src/scan/scan.ts';
import { SKILL_RULES } from '../src/skills/rules/index.ts';
import { SpecCatalog } from '../src/specs/catalog.ts';
import { CHANGE_RULES, DELTA_RULES, SPEC_RULES } from '../src/specs/rules/index.ts';
import { judgeChanges, judgeSpecs } from '../src/specs/validate.ts';
import { ask } from './support/ask.ts';
import { project, PROJECT } from './support/project.ts';

const bothExamples = <Some extends Rule>(rules: readonly Some[]): [string, 'bad' | 'good', Example, Some][] =>
  rules.flatMap((rule) =>
    rule.bad === undefined || rule.good === undefined
      ? []
      : [
          [rule.code, 'bad', rule.bad, rule],
          [rule.code, 'good', rule.good, rule],
        ],
  );

/** An example may be the whole file, or only the keys that matter. */
function complete(text: string): string {
  if (!/^[\w-]+:/u.test(text)) return text;
  const others = ['name: pdf', 'description: Fills in PDF forms'].filter(
    (line) => !new RegExp(`^${line.split(':')[0] ?? ''}:`, 'mu').test(text),
  );
  return ['---', ...others, text, '---', '', 'Run fill.py with the form.', ''].join('\n');
}

describe('skills', () => {
  test.each(bothExamples(SKILL_RULES))('%s: the %s example', async (code, kind, example, { profiles }) => {
    const folder = typeof example === 'string' ? /^name: "?([^\s"]+)/mu.exec(example)?.[1] : undefined;
    const files = typeof example === 'string' ? { [`${folder ?? 'pdf'}/SKILL.md`]: example } : example;
    const workspace = await project(
      Object.fromEntries(
        Object.entries(files).map(([file, text]) => [`${PROJECT}/.claude/skills/${file}`, complete(text)]),
      ),
    ).open();
    const profile = (['spec', 'claude', 'codex', 'mcp'] as const).find((each) => !profiles || profiles[each]) ?? 'spec';
    const { errors, warnings, info } = await ask(validateSkills, { profile }, workspace);
    expect([...errors, ...warnings, ...info].some((finding) => finding.code === code)).toBe(kind === 'bad');
  });
});

describe('security', () => {
  test.each(bothExamples(SCAN_RULES))('%s: the %s example', (code, kind, example, { level }) => {
    const files = typeof example === 'string' ? { 'pdf/SKILL.md': example } : example;
    const { findings } = scanSkill(
      Object.entries(files).map(([file, text]) => ({
        path: file.replace(/^pdf\//u, ''),
        bytes: Buffer.from(file.endsWith('.md') ? complete(text) : text),
      })),
    );
    const levels = findings.filter((finding) => finding.code === code).map((finding) => finding.level);
    if (kind === 'good') expect(levels).toEqual([]);
    else expect(['medium', 'high', 'critical']).toContain(levels[0]);
    expect(level).not.toBe('low');
  });
});

describe('specs and changes', () => {
  const HEAD =
    '# Login\n\n## Purpose\nLet people in with a password, and keep everyone else out.\n\n## Requirements\n\n';

  function codesOf(files: Record<string, string>): string[] {
    const catalog = new SpecCatalog(memoryDisk(files), { projectDir: '/', ancestors: ['/'] });
    return [...judgeSpecs(catalog), ...judgeChanges(catalog)].flatMap(({ diagnostics }) =>
      diagnostics.map(({ code }) => code),
    );
  }
  const textOf = (example: Example): string => (typeof example === 'string' ? example : '');

  /** An example may be the whole spec, or one that begins with a requirement. */
  test.each(bothExamples(SPEC_RULES))('%s: the %s example of a spec', (code, kind, example) => {
    const text = textOf(example);
    const codes = codesOf({ '/openspec/specs/login/spec.md': /^#{3}/u.test(text) ? HEAD + text : text });
    expect(codes.includes(code)).toBe(kind === 'bad');
  });

  test.each(bothExamples(DELTA_RULES.filter((rule) => !SPEC_RULES.some(({ code }) => code === rule.code))))(
    '%s: the %s example of a delta',
    (code, kind, example) => {
      const codes = codesOf({ '/openspec/changes/go/specs/login/spec.md': textOf(example) });
      expect(codes.includes(code)).toBe(kind === 'bad');
    },
  );

  test.each(bothExamples(CHANGE_RULES))('%s: the %s example of a change', (code, kind, example) => {
    const files = typeof example === 'string' ? {} : example;
    const codes = codesOf(
      Object.fromEntries(Object.entries(files).map(([file, text]) => [`/openspec/changes/go/${file}`, text])),
    );
    expect(codes.includes(code)).toBe(kind === 'bad');
  });
});

test('every example is run here', () => {
  const run = new Set([SKILL_RULES, SCAN_RULES, SPEC_RULES, DELTA_RULES, CHANGE_RULES].flat().map(({ code }) => code));
  expect(ALL_CODES.filter(({ code, bad, good }) => (bad ?? good) !== undefined && !run.has(code))).toEqual([]);
  expect(ALL_CODES.filter(({ bad, good }) => (bad === undefined) !== (good === undefined))).toEqual([]);
});
