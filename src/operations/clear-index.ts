import { flag, text } from '../core/fields/field.ts';
import { defineOperation } from './define.ts';

export const clearIndex = defineOperation({
  name: 'clear_index',
  title: 'Remove the search index',
  summary: 'Remove the search index; it can be rebuilt at any time',
  params: {},
  output: { cleared: flag('Whether there was an index'), dir: text() },
  reads: 'all',
  writes: 'index',
  library: 'clearIndex',
  async run(_, workspace) {
    const cleared = workspace.hasIndex();
    (await workspace.search()).clear();
    return { cleared, dir: workspace.indexFolder };
  },
});
