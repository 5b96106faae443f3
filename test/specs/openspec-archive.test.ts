/** OpenSpec's own archive, run in this process on the same files: what it keeps of a spec, we keep. */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { archiveChange } from '../../src/specs/archive.ts';
import { fc, times } from '../support/effort.ts';
import { project } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';

interface ArchiveCommand {
  run(change: string, options: object, root: object, json: boolean): Promise<unknown>;
}

const MODULE = path.resolve('node_modules/@fission-ai/openspec/dist/core/archive.js');
let openspec: ArchiveCommand;

beforeAll(async () => {
  const { ArchiveCommand } = (await import(pathToFileURL(MODULE).href)) as { ArchiveCommand: new () => ArchiveCommand };
  openspec = new ArchiveCommand();
});

/** What people write into a spec by hand, and what only looks like a part of its structure. */
const INTRUDERS = [
  '## Requirements',
  '## Purpose',
  '## Notes',
  ' ## Notes',
  '##Notes',
  '# Another title',
  '   # Indented title',
  '### Notes',
  '  ### Requirement: Indented',
  '\t### Requirement: Behind a tab',
  '#### Runbook',
  '#### Scenario: Three',
  '  #### Scenario: Indented',
  'Setext\n======',
  'Setext\n---',
  '---',
  '***',
  '<h2>Notes</h2>',
  '<details><h3>Notes</h3></details>',
  '<p>Raw</p>',
  '<!-- a comment -->',
  '<!--',
  '-->',
  '<!--\n## Requirements\n-->',
  'Restart the service, then call the team.',
  'Restart\n\nthe service.',
  '- a bullet',
  '\n- a bullet after a blank line',
  '* **AND** e',
  '+ **AND** f',
  '1. first',
  '100. hundredth\n     with a second line',
  '  - nested\n    and more',
  '- wrapped\n  over two lines',
  '- wrapped\nlazily',
  '- item\n  > quoted\nafter the quote',
  '  indented by two',
  '    indented by four',
  '\tindented by a tab',
  '> a quote',
  '> ## A quoted heading',
  '- ## A heading in a list',
  '| a | table |\n| --- | --- |',
  '```\n## Notes\n```',
  '```',
  '~~~',
  '```js``` is inline',
  '- item\n  ```\n## Notes\n  ```',
  '    ```\n## Notes\n    ```',
  '  ```sh\n  restart\n  ```',
  '\u00a0### Requirement: After a hard space',
  '',
  '   ',
];

const DELTAS = [
  '### Requirement: Alpha\n### Requirement: Beta\n',
  '### Requirement: Beta\n### Requirement: Alpha\n',
  '- `### Requirement: Alpha`\n- `### Requirement: Beta`\n',
  '### Requirement: Beta\n',
].map((entries) => `## REMOVED Requirements\n\n${entries}`);

function filesWith(spec: string | undefined, delta: string): Record<string, string> {
  return {
    ...(spec === undefined ? {} : { 'project/openspec/specs/cap/spec.md': spec }),
    'project/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nretire_capabilities: true\n',
    'project/openspec/changes/go/proposal.md': '# Go\n\n## Why\n\nBecause.\n\n## What Changes\n\n- x\n',
    'project/openspec/changes/go/specs/cap/spec.md': delta,
  };
}

const FILE = 'project/openspec/specs/cap/spec.md';

async function keptByOpenSpec(spec: string | undefined, delta: string): Promise<string | undefined> {
  using folder = project(filesWith(spec, delta), 'disk');
  const at = (name: string): string => folder.at('project/openspec', name);
  const root = {
    path: folder.at('project'),
    changesDir: at('changes'),
    archiveDir: at('changes/archive'),
    specsDir: at('specs'),
  };
  fs.mkdirSync(root.archiveDir);
  // A refusal is thrown; the files tell the rest.
  await openspec.run('go', { yes: true, json: true }, root, true).catch(() => undefined);
  return folder.exists(FILE) ? folder.read(FILE) : undefined;
}

function keptByUs(spec: string | undefined, delta: string): string | undefined {
  using folder = project(filesWith(spec, delta));
  const found = folder.specs().findChange('go');
  if (found.kind !== 'found') throw new Error('no change');
  try {
    archiveChange(() => folder.specs(), found.item, { today: '2026-11-20', disk: folder.disk });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return folder.exists(FILE) ? folder.read(FILE) : undefined;
}

/** The lines of `kept` that `ours` lacks, each as often as it is missing. */
function missingLines(kept: string, ours: string): string[] {
  const left = new Map<string, number>();
  const lines = (text: string): string[] => text.split(/\r\n?|\n/u).filter((line) => line.trim() !== '');
  for (const line of lines(ours)) left.set(line, (left.get(line) ?? 0) + 1);
  return lines(kept).filter((line) => {
    const number = left.get(line) ?? 0;
    left.set(line, number - 1);
    return number <= 0;
  });
}

describe('archiving compared with OpenSpec', () => {
  test('no line is deleted that OpenSpec keeps', async () => {
    const seen = { retired: 0, both: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(CAP.split('\n').length - 1), fc.constantFrom(...INTRUDERS)), {
          minLength: 1,
          maxLength: 2,
        }),
        fc.constantFrom(...DELTAS),
        fc.constantFrom('\n', '\r\n'),
        async (intruders, delta, end) => {
          const lines = CAP.split('\n');
          for (const [at, text] of intruders) lines[at] = `${lines[at]}\n${text}`;
          const spec = lines.join('\n').replaceAll('\n', end);
          const theirs = await keptByOpenSpec(spec, delta);
          const ours = keptByUs(spec, delta);
          if (theirs === undefined) seen.retired += 1;
          if (theirs === undefined && ours === undefined) seen.both += 1;
          if (theirs === spec) seen.refused += 1;
          expect({ spec, deleted: missingLines(theirs ?? '', ours ?? '') }).toEqual({ spec, deleted: [] });
        },
      ),
      { numRuns: times(100, 2000) },
    );
    // The cases are worth something only if OpenSpec retires some of the specs and refuses others, and so do we.
    expect(seen.retired).toBeGreaterThan(times(10));
    expect(seen.refused).toBeGreaterThan(times(10));
    expect(seen.both).toBeGreaterThan(seen.retired / 2);
  });

  const REAL = '## Purpose\nThe real purpose, in a sentence that is long enough for the validator.\n';
  const DRAFT = '## Purpose\nAn abandoned draft of the purpose that must not be written anywhere.\n';
  const ADDED = `\n## ADDED Requirements\n\n${requirement('Gamma')}\n`;
  test.each([
    ['a Purpose alone', REAL],
    ['a draft in a comment above the real Purpose', `<!--\n${DRAFT}-->\n\n${REAL}`],
    ['a draft on one line in a comment', `<!-- ## Purpose Draft -->\n\n${REAL}`],
    ['a comment that opens after other words', `Notes <!-- to self\n${DRAFT}-->\n\n${REAL}`],
    ['a comment that ends in --!>', `<!--\n${DRAFT}--!>\n\n${REAL}`],
    ['only a draft in a comment', `<!--\n${DRAFT}-->\n`],
    ['two drafts', `<!--\n${DRAFT}-->\n<!--\n${DRAFT}\n-->\n${REAL}`],
    ['a comment in the Purpose', `${REAL}<!-- note -->\n`],
    ['a Purpose that is only a comment', '## Purpose\n<!-- to be written -->\n'],
    [
      'an arrow in the Purpose',
      '## Purpose\nIt moves data: ingest --> transform, and it is long enough for everyone.\n',
    ],
    ['a draft in a fence', `\`\`\`\n${DRAFT}\`\`\`\n\n${REAL}`],
  ])('the new spec has the Purpose that OpenSpec would write: %s', async (_, purpose) => {
    for (const end of ['\n', '\r\n']) {
      const delta = `${purpose}${ADDED}`.replaceAll('\n', end);
      const [theirs, ours] = [await keptByOpenSpec(undefined, delta), keptByUs(undefined, delta)];
      expect(theirs).toBeDefined();
      const lines = (text = ''): string[] => text.split(/\r?\n/u).filter((line) => line.trim() !== '');
      expect(lines(ours)).toEqual(lines(theirs));
      expect(ours).not.toContain('abandoned');
    }
  });

  test('a comment that is never closed above the Purpose hides all of the delta, so nothing is written', async () => {
    const delta = `<!--\n${DRAFT}${ADDED}`;
    expect(keptByUs(undefined, delta)).toBeUndefined();
    expect((await keptByOpenSpec(undefined, delta)) ?? '').not.toContain('abandoned');
  });
});
