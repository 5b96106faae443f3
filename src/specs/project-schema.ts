/** Reads the workflow schemas of a project. */
import path from 'node:path';
import { findEntry } from '../core/disk/answers.ts';
import type { FileTree } from '../core/disk/tree.ts';
import { readFullYaml, type YamlProblem } from '../core/frontmatter/full-yaml.ts';
import { readPlainYaml } from '../core/frontmatter/plain-yaml.ts';
import type { YamlMap, YamlValue } from '../core/frontmatter/yaml-value.ts';
import { isRecord } from '../core/json-file.ts';
import type { SpecRoot } from './roots.ts';
import { readTextFile } from './text-file.ts';

export const DEFAULT_SCHEMA = 'spec-driven';

/** Returns the default schema from `config.yaml`. */
export function configuredSchema(files: FileTree, { specsDir }: SpecRoot): string | undefined {
  for (const name of ['config.yaml', 'config.yml']) {
    const read = readTextFile(files, path.join(specsDir, '..', name));
    if (read.kind !== 'text') continue;
    const { data } = readPlainYaml(read.file.text) ?? readFullYaml(read.file.text);
    const schema = data['schema'];
    return typeof schema === 'string' ? schema : undefined;
  }
  return undefined;
}

/** Whether the project defines this schema. It may redefine OpenSpec's default schema. */
export function hasOwnSchema(files: FileTree, root: SpecRoot, name: string): boolean {
  return /^[\w-][\w.-]*$/u.test(name) && findEntry(files, ownSchema(root, name))?.kind === 'file';
}

function ownSchema({ specsDir }: SpecRoot, name: string): string {
  return path.join(specsDir, '..', 'schemas', name, 'schema.yaml');
}

const MAX_ARTIFACTS = 1000;

type Check = (value: YamlValue | undefined) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isOptionalText: Check = (value) => value === undefined || typeof value === 'string';
const isTexts: Check = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string');
/** Accepts relative paths without `..`. */
const isPath: Check = (value) =>
  typeof value === 'string' &&
  value !== '' &&
  !/^(?:[\\/]|[a-z]:)/iu.test(value) &&
  !value.includes('\0') &&
  !value.split(/[\\/]+/u).includes('..');

/**
 * Returns the reason why OpenSpec cannot use a workflow schema. Undefined if it can. A switch in `.openspec.yaml` takes effect only
 * if the schema of the change is usable.
 */
export function schemaProblem(files: FileTree, root: SpecRoot, name: string): string | undefined {
  if (!hasOwnSchema(files, root, name))
    return name === DEFAULT_SCHEMA ? undefined : `there is no workflow schema "${name}"`;
  const read = readTextFile(files, ownSchema(root, name));
  const why = read.kind === 'text' ? contentProblem(read.file.text) : 'it cannot be read';
  return why === undefined ? undefined : `the workflow schema "${name}" cannot be used: ${why}`;
}

function contentProblem(text: string): string | undefined {
  const { data, problems } = readFullYaml(text);
  const broken = problems.find(({ kind }) => kind !== 'tag');
  if (broken) return yamlProblem(broken);
  const { name, version, description, artifacts, apply } = data;
  if (!isText(name)) return 'name is missing';
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1)
    return 'version must be a positive whole number';
  if (!isOptionalText(description)) return 'description must be text';
  if (!Array.isArray(artifacts) || artifacts.length === 0 || artifacts.length > MAX_ARTIFACTS)
    return `artifacts must be a list with 1 to ${MAX_ARTIFACTS} entries`;
  const requires = new Map<string, readonly string[]>();
  for (const artifact of artifacts) {
    const wrong = isRecord(artifact) ? wrongKey(artifact, ARTIFACT) : 'an artifact';
    if (wrong !== undefined || !isRecord(artifact)) return `${wrong} is missing or wrong`;
    const id = String(artifact['id']);
    if (requires.has(id)) return `the artifact "${id}" is defined twice`;
    requires.set(id, textsOf(artifact['requires']));
  }
  const wanted = [...requires.values(), isRecord(apply) ? textsOf(apply['requires']) : []].flat();
  if (apply !== undefined && (!isRecord(apply) || wrongKey(apply, APPLY) !== undefined)) return 'apply is wrong';
  const unknown = wanted.find((id) => !requires.has(id));
  if (unknown !== undefined) return `requires names "${unknown}", which is not an artifact`;
  return hasCycle(requires) ? 'its artifacts require each other in a cycle' : undefined;
}

/** Formats a YAML problem for a message. */
export function yamlProblem({ kind, message }: YamlProblem): string {
  return kind === 'too-big' ? `too large: it ${message}` : `not valid YAML: ${message}`;
}

const ARTIFACT: Readonly<Record<string, Check>> = {
  id: isText,
  generates: isPath,
  description: (value) => typeof value === 'string',
  template: isPath,
  instruction: isOptionalText,
  requires: (value) => value === undefined || isTexts(value),
};

const APPLY: Readonly<Record<string, Check>> = {
  requires: (value) => isTexts(value) && Array.isArray(value) && value.length > 0,
  tracks: (value) => value === undefined || value === null || isPath(value),
  instruction: isOptionalText,
};

function wrongKey(map: YamlMap, checks: Readonly<Record<string, Check>>): string | undefined {
  return Object.keys(checks).find((key) => !checks[key]?.(map[key]));
}

function textsOf(value: YamlValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Repeatedly removes nodes without remaining requirements. Any nodes left form a cycle. */
function hasCycle(requires: ReadonlyMap<string, readonly string[]>): boolean {
  const left = new Set(requires.keys());
  for (let size = -1; size !== left.size;) {
    size = left.size;
    for (const id of left) if (!requires.get(id)?.some((other) => left.has(other))) left.delete(id);
  }
  return left.size > 0;
}
