import { list, object, text } from '../core/fields/field.ts';
import { orUnreadable } from '../specs/lookup.ts';
import { defineOperation } from './define.ts';
import { lists } from './join.ts';

export const listSpecs = defineOperation({
  name: 'list_specs',
  title: 'List specs',
  summary: 'List every spec: id, title and purpose',
  details: 'Use it to find the spec that a task is about.',
  params: {},
  output: { specs: list(object({ id: text(), title: text(), purpose: text() })) },
  reads: 'specs',
  tool: 'specs',
  join: lists('specs', { kind: 'spec', name: 'id' }),
  library: 'specs.list',
  async run(_, workspace) {
    const catalog = await workspace.snapshot.specs();
    return {
      specs: orUnreadable(catalog, catalog.specs, 'spec').map(({ id, title, purpose }) => ({
        id,
        title,
        purpose,
      })),
    };
  },
});
