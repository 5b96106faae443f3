import { describe, expect, test } from 'vitest';
import { applyDelta } from '../../src/specs/apply.ts';
import { blockLines, parseDelta } from '../../src/specs/parse-delta.ts';
import { requirementsSection } from '../../src/specs/blocks.ts';
import { outlineOf } from '../../src/core/headings.ts';
import { editableSpec } from '../../src/specs/structure.ts';
import { CAP, requirement } from '../support/spec-text.ts';
import { fc } from '../support/effort.ts';

const NAMES = { capability: 'cap', change: 'go' };

function apply(delta: string, spec: string): string {
  const outcome = applyDelta(parseDelta(delta), editableSpec(spec), NAMES);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.text();
}

/** Specs as people leave them: line ends, blank lines and endings of every kind. */
const specs = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom('Alpha', 'Beta', 'C#', '(a+)+$', '__proto__', 'Ein längerer Name', '需求'), {
      minLength: 1,
      maxLength: 5,
    }),
    gaps: fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', '\n', '\n\n\n', '\n## Notes\n\nKept.', '\n\n## Notes\n\n\nKept.\n'),
    preamble: fc.constantFrom('', 'Some words.\n', '\n\nSome words.\n\n'),
    bom: fc.boolean(),
  })
  .map(({ names, gaps, lineEnd, end, preamble, bom }) => {
    const blocks = names.map((name, index) => `${'\n'.repeat(gaps[index] ?? 0)}${requirement(name)}`).join('\n');
    const text = `# cap\n\n## Purpose\nLong enough, or not.\n\n## Requirements\n${preamble}${blocks}${end}`;
    return { names, text: (bom ? '\uFEFF' : '') + text.replaceAll('\n', lineEnd) };
  });

describe('a delta and its inverse give the same bytes', () => {
  test('added, then removed', () => {
    fc.assert(
      fc.property(specs, fc.constantFrom('\n', '\r\n'), ({ text }, deltaEnd) => {
        const added = apply(
          `## ADDED Requirements\n\n${requirement('New one')}\n\n${requirement('Another')}\n`.replaceAll(
            '\n',
            deltaEnd,
          ),
          text,
        );
        expect(added).toContain('### Requirement: New one');
        expect(
          apply('## REMOVED Requirements\n- `### Requirement: New one`\n- `### Requirement: Another`\n', added),
        ).toBe(text);
      }),
    );
  });

  test('renamed, and back', () => {
    fc.assert(
      fc.property(specs, ({ names: [name = ''], text }) => {
        const rename = (from: string, to: string): string =>
          `## RENAMED Requirements\n- FROM: \`### Requirement: ${from}\`\n- TO: \`### Requirement: ${to}\`\n`;
        const renamed = apply(rename(name, 'Fresh'), text);
        expect(renamed).not.toBe(text);
        expect(apply(rename('Fresh', name), renamed)).toBe(text);
      }),
    );
  });

  test('modified, and back', () => {
    fc.assert(
      fc.property(specs, ({ names, text }) => {
        const modify = (source: (name: string) => string): string =>
          `## MODIFIED Requirements\n\n${names.map(source).join('\n\n')}\n`;
        const outline = outlineOf(text);
        const old = new Map(
          requirementsSection(outline)?.blocks.map((block) => [block.name, blockLines(outline, block).join('\n')]),
        );
        const modified = apply(
          modify((name) => requirement(name, { text: 'It MUST do better.\n\nTwice.', scenarios: ['S', 'T'] })),
          text,
        );
        expect(modified).toContain('It MUST do better.');
        // The way back drops a scenario on purpose, which only REMOVED and ADDED may do; the spec without it is compared.
        const kept = apply(
          modify((name) => requirement(name, { text: 'It MUST do worse.', scenarios: ['S'] })),
          text,
        );
        expect(
          apply(
            modify((name) => old.get(name) ?? ''),
            kept,
          ),
        ).toBe(text);
      }),
    );
  });

  test('any delta against any spec either applies or is refused, and never throws', () => {
    const lines = [
      '## ADDED Requirements',
      '## MODIFIED Requirements',
      '## REMOVED Requirements',
      '## RENAMED Requirements',
      '### Requirement: Alpha',
      '### Requirement: Beta',
      '- FROM: `### Requirement: Alpha`',
      '- TO: `### Requirement: Beta`',
      'It SHALL.',
      '#### Scenario: S',
      '- x',
      '```',
      '',
      '### Notes',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 20 }), fc.option(specs), (delta, spec) => {
        const outcome = applyDelta(parseDelta(delta.join('\n')), spec ? editableSpec(spec.text) : undefined, NAMES);
        expect(outcome.kind === 'refused' || typeof outcome.text() === 'string').toBe(true);
      }),
    );
  });
});

describe('the order of operations', () => {
  test('a name freed by a rename may be added', () => {
    const text = apply(
      `## RENAMED Requirements\nFROM: ### Requirement: Beta\nTO: ### Requirement: Old beta\n## ADDED Requirements\n${requirement('Beta')}\n`,
      CAP,
    );
    const names = requirementsSection(outlineOf(text))?.blocks.map(({ name }) => name);
    expect(names).toEqual(['Alpha', 'Old beta', 'Beta']);
  });

  test('renames chain in the order they are written', () => {
    const text = apply(
      '## RENAMED Requirements\nFROM: ### Requirement: Alpha\nTO: ### Requirement: Gamma\nFROM: ### Requirement: Gamma\nTO: ### Requirement: Delta\n',
      CAP,
    );
    expect(requirementsSection(outlineOf(text))?.blocks.map(({ name }) => name)).toEqual(['Delta', 'Beta']);
  });

  test('lines below a heading that a removed requirement has swallowed are named as lost', () => {
    const outcome = applyDelta(
      parseDelta('## REMOVED Requirements\n### Requirement: Beta\n'),
      editableSpec(`${CAP}\n### Notes\nImportant.\n`),
      NAMES,
    );
    expect(outcome).toMatchObject({ kind: 'applied', lost: [25, 26] });
  });
});
