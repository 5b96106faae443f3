/** Training pairs from a folder of sources: what each kind gives, and what a license keeps out. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gatherPairs } from '../../training/gather-pairs.ts';
import { pairsOf } from '../../training/make-pairs.ts';
import { readPairs, textOf, type Texts } from '../../training/pairs.ts';
import { licenseInWords, readSources } from '../../training/sources.ts';
import { readStartVectors, startVectorsFrom } from '../../training/start-vectors.ts';
import { writePairs } from '../../training/write-pairs.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

const skill = (name: string, license?: string): string => `---
name: ${name}
description: Renames photos by date. Use it when someone says "sort my holiday pictures".
${license === undefined ? '' : `license: ${license}\n`}---

# Photos

Reads the camera's clock from each file.

## Time zones

A picture without a zone gets the one of its folder.

\`\`\`sh
exiftool -r hidden
\`\`\`
`;

const sources = (manifest: object[], files: Record<string, string> = {}): TempFolder =>
  tempFolder({ ...files, 'sources.json': JSON.stringify({ sources: manifest }) });

const gather = (dir: string) => gatherPairs(dir, (file) => readFileSync(file, 'utf8'));

describe('licenses', () => {
  test('a skill is used under its own license, else under that of its source, and not without one', () => {
    using folder = sources(
      [
        { folder: 'open', kind: 'skills', title: 'Open skills', license: 'CC-BY-4.0' },
        { folder: 'closed', kind: 'skills', title: 'Found skills' },
      ],
      {
        'open/a/SKILL.md': skill('by-source'),
        'open/b/SKILL.md': skill('own-no', 'Proprietary'),
        'open/c/SKILL.md': skill('own-yes', 'MIT License'),
        'closed/d/SKILL.md': skill('nothing-said'),
        'closed/e/SKILL.md': skill('free-anyway', 'Apache 2.0'),
      },
    );
    const { pairs, report, notice } = gather(folder.dir);
    const names = pairs.filter(({ type }) => type === 5).map(({ left }) => left);
    expect(names).toEqual(['by-source', 'own-yes', 'free-anyway']);
    expect(report.map((line) => /(\d+) files left out/u.exec(line)?.[1])).toEqual(['1', '1']);
    expect(notice).toContain('- Open skills (CC-BY-4.0, MIT)\n- Found skills (Apache-2.0)');
  });

  test('common license texts are recognized, and restrictive ones are not', () => {
    expect(['MIT', 'The MIT License', 'apache-2.0', 'CC0', 'CC BY 4.0'].map(licenseInWords)).toEqual([
      'MIT',
      'MIT',
      'Apache-2.0',
      'CC0-1.0',
      'CC-BY-4.0',
    ]);
    for (const words of ['CC BY-NC 4.0', 'GPL-3.0', 'Complete terms in LICENSE.txt', 'MIT, non-commercial'])
      expect(licenseInWords(words)).toBeUndefined();
  });

  test('a manifest that is not understood is refused', () => {
    const wrong = (source: object) => (): void => {
      using folder = sources([source]);
      readSources(folder.dir);
    };
    expect(wrong({ folder: '../up', kind: 'skills' })).toThrow(/"folder"/u);
    expect(wrong({ folder: 'a', kind: 'novels' })).toThrow(/"kind" is one of skills/u);
    expect(wrong({ folder: 'a', kind: 'skills', license: 3 })).toThrow(/are texts/u);
  });
});

describe('pairs', () => {
  const typed = (kind: Parameters<typeof pairsOf>[0], file: string, text: string): string[] =>
    pairsOf(kind, file, text).pairs.map(
      ({ type, left, right }) => `${type}: ${left} = ${right.replaceAll(/\s+/gu, ' ').trim()}`,
    );

  test('of a skill: its phrase, sentences, headings and name; no code', () => {
    const made = typed('skills', 'x/SKILL.md', skill('photos'));
    expect(made).toEqual([
      expect.stringMatching(/^1: sort my holiday pictures = photos Renames photos by date/u),
      expect.stringMatching(/^2: Renames photos by date\. = # Photos Reads the camera/u),
      expect.stringMatching(/^3: Use it when .* = photos Renames photos by date\.$/u),
      expect.stringMatching(/^4: Photos = Reads the camera/u),
      '4: Time zones = A picture without a zone gets the one of its folder.',
      expect.stringMatching(/^5: photos = Renames/u),
    ]);
    expect(made.join(' ')).not.toContain('exiftool');
    expect(typed('skills', 'x/README.md', skill('photos'))).toEqual([]);
  });

  test('of other Markdown, package lists, WordNet and pages of tasks', () => {
    expect(typed('markdown', 'a.md', '# Volumes\n\nKeeps data of a container.\n')).toEqual([
      '11: Volumes = Keeps data of a container.',
      '12: Volumes = Keeps data of a container.',
    ]);
    const list = 'Package: jq\nDescription: JSON processor\n Slices and filters.\n .\n Small.\n\nPackage: none\n';
    expect(typed('packages', 'Packages', list)).toEqual(['6: JSON processor = jq Slices and filters. Small.']);
    const synset =
      '02958343 06 n 02 motor_car 0 auto 0 001 @ 03791235 n 0000 | a vehicle with four wheels; "he needs a car"';
    expect(typed('wordnet', 'data.noun', `  1 This is a license\n${synset}\n`)).toEqual([
      '8: motor car = a vehicle with four wheels',
      '9: motor car = auto a vehicle with four wheels',
      '8: auto = a vehicle with four wheels',
      '9: auto = motor car a vehicle with four wheels',
    ]);
    const page =
      '# tar\n\n> Archiving utility.\n> More information: <x>.\n\n- Create an archive:\n\n`tar cf`\n\n- Extract files:\n\n`tar xf`\n';
    expect(typed('tasks', 'tar.md', page)).toEqual([
      '10: Create an archive = tar Archiving utility. Extract files',
      '10: Extract files = tar Archiving utility. Create an archive',
    ]);
  });

  const SPEC = `# Lending

## Purpose
Readers borrow the copies of the shop and bring them back.

## Requirements

### Requirement: Late return
The shop SHALL remind a reader of a copy that is late, see [the rules](https://example.com/rules).

\`\`\`sql
SELECT hidden
\`\`\`

#### Scenario: A week late
- **GIVEN** a copy that was borrowed
- **WHEN** a week is over AND the copy is not back
- **THEN** the reader gets a message

### Requirement: Rückgabe
Der Laden MUSS jeden Leser erinnern, dessen Buch überfällig ist.
`;

  test('of specs: requirements, scenarios, steps and the purpose, without code, links and other languages', () => {
    const text = 'The shop SHALL remind a reader of a copy that is late, see the rules .';
    const steps =
      '- GIVEN a copy that was borrowed - WHEN a week is over AND the copy is not back - THEN the reader gets a message';
    expect(typed('specs', 'x/openspec/specs/lending/spec.md', SPEC)).toEqual([
      `13: Late return = ${text}`,
      `14: Late return = A week late ${steps}`,
      `15: A week late = Late return ${text}`,
      `16: A week late = ${steps}`,
      `17: a week is over AND the copy is not back = Late return ${text}`,
      `18: Late return ${text} = Readers borrow the copies of the shop and bring them back.`,
    ]);
    expect(typed('specs', 'x/docs/spec.md', SPEC)).toEqual([]);
    expect(typed('specs', 'x/openspec/specs/lending/notes.md', SPEC)).toEqual([]);
  });

  test('of a proposal: its reason with each requirement of its deltas; a repeated requirement counts once', () => {
    const delta = SPEC.replace('## Requirements', '## ADDED Requirements').replace('see [the', 'see also [the');
    const text = 'Late return The shop SHALL remind a reader of a copy that is late,';
    using folder = sources([{ folder: 'shop', kind: 'specs', license: 'MIT' }], {
      'shop/openspec/changes/remind/proposal.md':
        '# Remind\n\n## Why\nReaders forget that they have a copy.\n\n## What\nMail.\n',
      'shop/openspec/changes/remind/specs/lending/spec.md': delta,
      'shop/openspec/changes/other/specs/lending/spec.md': delta.replaceAll('Late', 'Early'),
      'shop/openspec/specs/lending/spec.md': SPEC,
    });
    const { pairs } = gather(folder.dir);
    expect(pairs.filter(({ type }) => type === 19)).toEqual([
      { type: 19, left: 'Readers forget that they have a copy.', right: expect.stringContaining(text) },
    ]);
    expect(pairs.filter(({ type, left }) => type === 14 && left === 'Late return')).toHaveLength(1);
  });

  test('are read by training as they were written; rare words are left out', () => {
    const pairs = Array.from({ length: 3 }, (_, index) => ({
      type: 4,
      left: 'Rotate credentials',
      right: `credentials expire ${['alpha', 'bravo', 'charlie'][index] ?? ''}`,
    }));
    const { bytes, words, dropped } = writePairs([...pairs, { type: 2, left: 'delta', right: 'expire' }]);
    const read = readPairs(bytes);
    const shown = (texts: Texts, index: number): string[] => [...textOf(texts, index)].map((id) => words[id] ?? '');
    expect([read.words, [...read.frequencies], dropped]).toEqual([['expire', 'credentials', 'rotate'], [4, 3, 3], 1]);
    expect([shown(read.left, 0), shown(read.right, 2)]).toEqual([
      ['rotate', 'credentials'],
      ['credentials', 'expire'],
    ]);
  });

  test('get start vectors from a text file, in the order of their words', async () => {
    const lines = (async function* () {
      yield 'other 9 9';
      yield 'b 1.5 -0.25';
      yield 'c -3 65000';
    })();
    const { bytes, found } = await startVectorsFrom(lines, ['a', 'b', 'c']);
    expect([found, [...new Uint16Array(bytes.buffer)]]).toEqual([2, [0, 0, 0x3e_00, 0xb4_00, 0xc2_00, 0x7b_ef]]);
    expect(readStartVectors(bytes, 3).dimensions).toBe(2);
  });
});
