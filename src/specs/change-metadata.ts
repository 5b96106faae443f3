/** Reads the `.openspec.yaml` of a change. A switch takes effect only in a file that OpenSpec accepts. */
import { readFullYaml } from '../core/frontmatter/full-yaml.ts';
import { readPlainYaml } from '../core/frontmatter/plain-yaml.ts';
import type { YamlMap, YamlValue } from '../core/frontmatter/yaml-value.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { type ChangeFolder, METADATA } from './change-folder.ts';
import { configuredSchema, DEFAULT_SCHEMA, hasOwnSchema, schemaProblem, yamlProblem } from './project-schema.ts';

export interface ChangeMetadata {
  /** Workflow schema of the change. */
  schema?: string;
  created?: string;
  goal?: string;
  skipSpecs: boolean;
  retireCapabilities: boolean;
  /** Reason why the file cannot be used. */
  problem?: { line: number; message: string };
  /** A switch set in a file that cannot be used. */
  refusedSwitch?: 'skip_specs' | 'retire_capabilities';
}

const NO_METADATA: ChangeMetadata = { skipSpecs: false, retireCapabilities: false };

/** Not part of `ChangeFolder`, because it loads a YAML parser and only validating and archiving need it. */
export function metadataOf(files: FileTree, change: ChangeFolder): ChangeMetadata {
  const file = change.text(METADATA);
  return file ? parseChangeMetadata(file.text, (schema) => schemaProblem(files, change.root, schema)) : NO_METADATA;
}

/**
 * Whether the change follows OpenSpec's default workflow. False if the project redefines that workflow, or if the metadata cannot
 * be used. The format of the tasks is then unknown.
 */
export function isSpecDriven(files: FileTree, { root }: ChangeFolder, metadata: ChangeMetadata): boolean {
  const schema = metadata.schema ?? configuredSchema(files, root) ?? DEFAULT_SCHEMA;
  return metadata.problem === undefined && schema === DEFAULT_SCHEMA && !hasOwnSchema(files, root, schema);
}

/** `problemOf` returns the reason why a workflow schema cannot be used. A switch with such a schema has no effect. */
function parseChangeMetadata(text: string, problemOf: (schema: string) => string | undefined): ChangeMetadata {
  const yaml = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const plain = readPlainYaml(yaml);
  const read = plain ? { ...plain, problems: [] } : readFullYaml(yaml);
  const broken = read.problems.find(({ kind }) => kind !== 'tag');
  if (broken) {
    const isMeant = /^[ \t]*(['"]?)skip_specs\1\s*:/mu.test(yaml);
    return {
      ...NO_METADATA,
      problem: { line: broken.line + 1, message: yamlProblem(broken) },
      ...(isMeant ? { refusedSwitch: 'skip_specs' } : {}),
    };
  }
  const { data } = read;
  const lineOf = (key: string): number => (read.lines.get(key) ?? 0) + 1;
  const wrong = firstWrong(data);
  const thrown = (['skip_specs', 'retire_capabilities'] as const).find(
    (key) => data[key] !== undefined && data[key] !== false,
  );
  const refuse = (key: string, message: string): ChangeMetadata => ({
    ...NO_METADATA,
    ...(typeof data['schema'] === 'string' ? { schema: data['schema'] } : {}),
    problem: { line: lineOf(key), message },
    ...(thrown ? { refusedSwitch: thrown } : {}),
  });
  if (wrong) return refuse(wrong.key, wrong.message);
  const schema = typeof data['schema'] === 'string' ? data['schema'] : '';
  const problem = thrown ? problemOf(schema) : undefined;
  if (problem !== undefined) return refuse('schema', `schema: ${problem}`);
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
