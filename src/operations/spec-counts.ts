import { integer, list, object, text } from '../core/fields/field.ts';
import { defineOperation } from './define.ts';

export const specCounts = defineOperation({
  name: 'spec_counts',
  title: 'Specs with their size',
  summary: 'List every spec with its purpose and the number of its requirements and scenarios',
  params: {},
  output: {
    specs: list(
      object({
        id: text(),
        title: text(),
        purpose: text(),
        requirements: integer(),
        scenarios: integer(),
        touched: list(integer(), 'Which requirements an active change touches, counted from 0'),
        untested: list(integer(), 'Which requirements have no scenario, counted from 0'),
      }),
    ),
  },
  reads: 'specs',
  command: {
    name: 'spec list',
    group: 'Specs and changes',
    examples: [['lectern spec list', 'show what the system must do']],
  },
  library: 'specs.counts',
  async run(_, workspace) {
    const { changesTouching } = await import('../specs/touched.ts');
    const catalog = await workspace.snapshot.specs();
    const touching = changesTouching(catalog);
    return {
      specs: catalog.specs.map((spec) => {
        const { requirements } = spec.parsed;
        const changesOf = touching(spec);
        return {
          id: spec.id,
          title: spec.title,
          purpose: spec.purpose,
          requirements: requirements.length,
          scenarios: requirements.reduce((sum, { scenarios }) => sum + scenarios.length, 0),
          touched: requirements.flatMap(({ name }, index) => (changesOf(name).length > 0 ? [index] : [])),
          untested: requirements.flatMap(({ scenarios }, index) => (scenarios.length === 0 ? [index] : [])),
        };
      }),
    };
  },
});
