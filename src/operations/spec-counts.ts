import { integer, list, object, text } from '../core/fields/field.ts';
import { defineOperation } from './define.ts';

export const specCounts = defineOperation({
  name: 'spec_counts',
  title: 'Specs with their size',
  summary: 'List every spec with its purpose and the number of its requirements and scenarios',
  params: {},
  output: {
    specs: list(object({ id: text(), title: text(), purpose: text(), requirements: integer(), scenarios: integer() })),
  },
  reads: 'specs',
  command: {
    name: 'spec list',
    group: 'Specs and changes',
    examples: [['lectern spec list', 'show what the system must do']],
  },
  library: 'specs.counts',
  async run(_, workspace) {
    const catalog = await workspace.snapshot.specs();
    return {
      specs: catalog.specs.map(({ id, title, purpose, parsed: { requirements } }) => ({
        id,
        title,
        purpose,
        requirements: requirements.length,
        scenarios: requirements.reduce((sum, { scenarios }) => sum + scenarios.length, 0),
      })),
    };
  },
});
