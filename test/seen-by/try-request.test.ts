import { describe, expect, test } from 'vitest';
import type { Entry, Seen } from '../../src/agents/seen-by.ts';
import { tryRequest } from '../../src/agents/try-request.ts';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { readLine, readRequest, scoreLine } from '../../src/search/line.ts';
import { openBundledModel } from '../../src/search/model/bundled.ts';
import { fc } from '../support/effort.ts';
import { listed, see } from '../support/see.ts';
import { skillText } from '../support/skill-text.ts';

const model = openBundledModel(nodeFiles);

const WORDS = ['merge', 'pdf', 'files', 'release', 'notes', 'database', 'migration', 'slides', 'deploy', 'kubernetes'];
const someWords = (max: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max }).map((words) => words.join(' '));
const someLines = fc.uniqueArray(fc.record({ name: someWords(2), text: someWords(8) }), {
  selector: ({ name }) => name,
  minLength: 2,
  maxLength: 8,
});

function listOf(lines: readonly { name: string; text: string }[]): Pick<Seen, 'entries'> {
  const entries = lines.map(({ name, text }, index): Entry => ({
    position: index + 1,
    name,
    verdict: undefined,
    status: 'seen',
    characters: 0,
    cost: 0,
    fullCost: 0,
    text,
    isWhole: true,
    description: text,
  }));
  return { entries };
}

function scoresIn(lines: readonly { name: string; text: string }[], request: string): Record<string, number> {
  const { ranked } = tryRequest(model, listOf(lines), readRequest(model, request));
  return Object.fromEntries(ranked.map(({ entry, score }) => [entry.name, score]));
}

describe('trying a request', () => {
  test('removing a skill changes no score of the others', () => {
    fc.assert(
      fc.property(someLines, someWords(6), ([removed, ...rest], request) => {
        const { [removed?.name ?? '']: _, ...others } = scoresIn([...(removed ? [removed] : []), ...rest], request);
        expect(scoresIn(rest, request)).toEqual(others);
      }),
    );
  });

  test('the order of the list matters only for equal scores', () => {
    fc.assert(
      fc.property(someLines, someWords(6), (lines, request) => {
        expect(scoresIn(lines.toReversed(), request)).toEqual(scoresIn(lines, request));
      }),
    );
  });

  test('a word that was cut off adds nothing to the words of a line', () => {
    fc.assert(
      fc.property(someWords(4), someWords(8), someWords(5), (name, text, request) => {
        const cut = text.split(' ').slice(0, -1).join(' ');
        const { words } = scoreLine(readRequest(model, request), readLine(model, name, cut));
        const present = new Set(`${name} ${cut}`.split(' '));
        expect(words.filter((word) => !present.has(word))).toEqual([]);
      }),
    );
  });

  test('scores are from 0 to 1, and the margin is the lead of the first', () => {
    fc.assert(
      fc.property(someLines, someWords(6), (lines, request) => {
        const { ranked, margin } = tryRequest(model, listOf(lines), readRequest(model, request));
        for (const { score } of ranked) expect(score >= 0 && score <= 1).toBe(true);
        expect(margin).toBe((ranked[0]?.score ?? 0) - (ranked[1]?.score ?? 0));
      }),
    );
  });

  test('a built-in skill is ranked by its name', () => {
    const { ranked } = tryRequest(
      model,
      listOf([
        { name: 'release-notes', text: '' },
        { name: 'pdf', text: 'Merge files.' },
      ]),
      readRequest(model, 'write the release notes'),
    );
    expect(ranked[0]).toMatchObject({ entry: { name: 'release-notes' }, words: ['release', 'notes'] });
  });

  test('an abbreviation matches its long form', () => {
    const { words } = scoreLine(readRequest(model, 'restart k8s pods'), readLine(model, 'kubernetes', 'Restart pods.'));
    expect(words).toEqual(['restart', 'k8s', 'pods']);
  });

  test('a skill that the agent hides is not ranked', async () => {
    const seen = await see(
      {
        'project/.claude/skills/pdf/SKILL.md': skillText({
          name: 'pdf',
          description: 'Merge PDF files.',
          more: ['disable-model-invocation: true'],
        }),
        'project/.claude/skills/notes/SKILL.md': skillText({ name: 'notes', description: 'Write notes.' }),
      },
      'claude',
    );
    expect(listed(seen)).toEqual(['notes']);
    const { ranked } = tryRequest(model, seen, readRequest(model, 'merge PDF files'));
    expect(ranked.map(({ entry }) => entry.name)).not.toContain('pdf');
  });
});
