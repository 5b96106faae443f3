/** A project's own workflow schema, judged by OpenSpec and by us. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { reportOf } from '../../src/core/report.ts';
import { judgeChanges } from '../../src/specs/validate.ts';
import { project } from '../support/project.ts';

const MODULE = path.resolve('node_modules/@fission-ai/openspec/dist/core/artifact-graph/schema.js');
let parseSchema: (text: string) => unknown;

beforeAll(async () => {
  ({ parseSchema } = (await import(pathToFileURL(MODULE).href)) as { parseSchema: typeof parseSchema });
});

const ONE = '  - id: one\n    generates: one.md\n    description: First\n    template: one.md\n';
const TWO = '  - id: two\n    generates: two.md\n    description: Second\n    template: two.md\n    requires: [one]\n';
const GOOD = `name: own\nversion: 1\nartifacts:\n${ONE}${TWO}`;

const SCHEMAS: Record<string, string> = {
  'a good one': GOOD,
  'one with apply': `${GOOD}apply:\n  requires: [two]\n  tracks: null\n`,
  'unknown keys': `${GOOD}more: 1\n`,
  'not YAML': 'name: [own\n',
  'not a map': '- own\n',
  'an empty file': '',
  'no name': GOOD.replace('name: own\n', ''),
  'an empty name': GOOD.replace('name: own', 'name: ""'),
  'no version': GOOD.replace('version: 1\n', ''),
  'a version as text': GOOD.replace('version: 1', 'version: "1"'),
  'version 0': GOOD.replace('version: 1', 'version: 0'),
  'version 1.5': GOOD.replace('version: 1', 'version: 1.5'),
  'a description that is null': `${GOOD}description:\n`,
  'no artifacts': 'name: own\nversion: 1\n',
  'an empty list of artifacts': 'name: own\nversion: 1\nartifacts: []\n',
  'an artifact that is text': `name: own\nversion: 1\nartifacts: [one]\n`,
  'an artifact without id': GOOD.replace('  - id: one\n    generates', '  - generates'),
  'an artifact without description': GOOD.replace('    description: First\n', ''),
  'an artifact without template': GOOD.replace('    template: one.md\n', ''),
  'an absolute path': GOOD.replace('generates: one.md', 'generates: /one.md'),
  'a path that climbs': GOOD.replace('template: one.md', 'template: ../one.md'),
  'a drive': GOOD.replace('template: one.md', "template: 'c:one.md'"),
  'an artifact twice': `${GOOD}${ONE}`,
  'a requirement that is unknown': GOOD.replace('[one]', '[three]'),
  'requires as text': GOOD.replace('[one]', 'one'),
  'a circle': GOOD.replace('template: one.md', 'template: one.md\n    requires: [two]'),
  'an artifact that requires itself': GOOD.replace('[one]', '[two]'),
  'apply without requires': `${GOOD}apply:\n  tracks: two.md\n`,
  'apply that requires nothing': `${GOOD}apply:\n  requires: []\n`,
  'apply that requires the unknown': `${GOOD}apply:\n  requires: [three]\n`,
  'apply as text': `${GOOD}apply: two\n`,
  'apply that is null': `${GOOD}apply:\n`,
  'a key twice': `${GOOD}name: other\n`,
};

describe('skip_specs counts only with a workflow schema that OpenSpec can use', () => {
  test.each(Object.entries(SCHEMAS))('%s', (_, schema) => {
    using target = project({
      'project/openspec/specs/.keep': '',
      'project/openspec/schemas/own/schema.yaml': schema,
      'project/openspec/changes/go/.openspec.yaml': 'schema: own\nskip_specs: true\n',
      'project/openspec/changes/go/proposal.md':
        '# Go\n\n## Why\n\nBecause it has to be done at last.\n\n## What Changes\n\n- x\n',
    });
    let isUsable = true;
    try {
      parseSchema(schema);
    } catch {
      isUsable = false;
    }
    const report = reportOf(judgeChanges(target.specs()), { strict: false });
    expect(report.valid).toBe(isUsable);
    expect(report.errors.some(({ code }) => code === 'change-metadata-invalid')).toBe(!isUsable);
  });
});
