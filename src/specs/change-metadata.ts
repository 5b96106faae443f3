/** `.openspec.yaml` of a change. Only a file that OpenSpec itself would accept may switch anything. */
import { readFullYaml } from '../core/frontmatter/full-yaml.js';
import { readPlainYaml } from '../core/frontmatter/plain-yaml.js';
import type { YamlMap, YamlValue } from '../core/frontmatter/yaml-value.js';

export interface ChangeMetadata {
  /** The workflow schema the change names. */
  schema?: string;
  created?: string;
  goal?: string;
  skipSpecs: boolean;
  retireCapabilities: boolean;
  /** Why nothing in the file counts. */
  problem?: { line: number; message: string };
  /** A switch was thrown in a file that does not count. */
  refusedSwitch?: 'skip_specs' | 'retire_capabilities';
}

export const NO_METADATA: ChangeMetadata = { skipSpecs: false, retireCapabilities: false };

/** `hasSchema` says whether a workflow schema of that name exists; a switch in a change of an unknown schema does not count. */
export function parseChangeMetadata(text: string, hasSchema: (name: string) => boolean): ChangeMetadata {
  const yaml = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const plain = readPlainYaml(yaml);
  const read = plain ? { ...plain, problems: [] } : readFullYaml(yaml);
  const broken = read.problems.find(({ kind }) => kind !== 'tag');
  if (broken) {
    const isMeant = /^\s*(['"]?)skip_specs\1\s*:/mu.test(yaml);
    return {
      ...NO_METADATA,
      problem: { line: broken.line + 1, message: `not valid YAML: ${broken.message}` },
      ...(isMeant ? { refusedSwitch: 'skip_specs' } : {}),
    };
  }
  const { data } = read;
  const lineOf = (key: string): number => (read.lines.get(key) ?? 0) + 1;
  const wrong = firstWrong(data);
  const thrown = (['skip_specs', 'retire_capabilities'] as const).find((key) => data[key] !== undefined && data[key] !== false);
  const refuse = (key: string, message: string): ChangeMetadata => ({
    ...NO_METADATA,
    ...(typeof data['schema'] === 'string' ? { schema: data['schema'] } : {}),
    problem: { line: lineOf(key), message },
    ...(thrown ? { refusedSwitch: thrown } : {}),
  });
  if (wrong) return refuse(wrong.key, wrong.message);
  const schema = typeof data['schema'] === 'string' ? data['schema'] : '';
  if (thrown && !hasSchema(schema)) return refuse('schema', `schema: no workflow schema is called "${schema}"`);
  return {
    schema,
    ...(typeof data['created'] === 'string' ? { created: data['created'] } : {}),
    ...(typeof data['goal'] === 'string' ? { goal: data['goal'] } : {}),
    skipSpecs: data['skip_specs'] === true,
    retireCapabilities: data['retire_capabilities'] === true,
  };
}

const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/u;

const isText = (value: YamlValue | undefined): boolean => typeof value === 'string' && value !== '';

const EXPECTED: readonly { key: string; needed?: true; about: string; fits: (value: YamlValue) => boolean }[] = [
  { key: 'schema', needed: true, about: 'the name of a workflow schema, such as spec-driven', fits: isText },
  { key: 'created', about: 'a day as YYYY-MM-DD', fits: (value) => typeof value === 'string' && DAY.test(value) },
  { key: 'goal', about: 'text', fits: isText },
  { key: 'affected_areas', about: 'a list of texts', fits: (value) => Array.isArray(value) && value.every(isText) },
  { key: 'initiative', about: 'store and id, both in kebab-case', fits: isInitiative },
  { key: 'skip_specs', about: 'true or false', fits: (value) => typeof value === 'boolean' },
  { key: 'retire_capabilities', about: 'true or false', fits: (value) => typeof value === 'boolean' },
];

function firstWrong(data: YamlMap): { key: string; message: string } | undefined {
  for (const { key, needed, about, fits } of EXPECTED) {
    const value = data[key];
    if (value === undefined ? needed : !fits(value)) return { key, message: `${key}: expected ${about}` };
  }
  return undefined;
}

function isInitiative(value: YamlValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const isId = (part: YamlValue | undefined): boolean => typeof part === 'string' && KEBAB.test(part);
  return Object.keys(value).length === 2 && isId(value['store']) && isId(value['id']);
}
