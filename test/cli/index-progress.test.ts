import { expect, test } from 'vitest';
import { indexProgress } from '../../src/cli/index-progress.ts';
import { makeStyle, type Style } from '../../src/render/style.ts';

const style = makeStyle({ color: false });

function shownBy(steps: (step: (done: number) => void) => Promise<void>): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = [];
  const progress = (line: ((style: Style) => string) | undefined) => void lines.push(line?.(style));
  const { context, clear } = indexProgress({ progress });
  return steps((done) => context.progress?.({ phase: 'embedding', done, total: 300 })).then(() => {
    clear();
    return lines;
  });
}

test('a command that builds the index shows a line of progress, and removes it at the end', async () => {
  const lines = await shownBy(async (step) => {
    step(16);
    // The rendering is loaded with the first step.
    await import('../../src/render/index-state.ts');
    await Promise.resolve();
    step(32);
  });
  expect(lines).toEqual([expect.stringMatching(/^Indexing documents .* 32\/300/u), undefined]);
});

test('a command that builds nothing writes nothing', async () => {
  expect(await shownBy(() => Promise.resolve())).toEqual([]);
  expect(indexProgress({ progress: undefined }).context).toEqual({});
});
