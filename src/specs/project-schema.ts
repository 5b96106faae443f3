import path from 'node:path';
import type { FileTree } from '../core/files.js';
import { readFullYaml } from '../core/frontmatter/full-yaml.js';
import { readPlainYaml } from '../core/frontmatter/plain-yaml.js';
import type { ChangeFolder } from './change-folder.js';
import { metadataOf } from './change-metadata.js';
import { readTextFile } from './text-file.js';

const DEFAULT_SCHEMA = 'spec-driven';

/**
 * The workflow schema a change follows: its own, the project's, or OpenSpec's default. Undefined when the project has put
 * its own meaning behind the name, or when the change's metadata cannot be used: then nothing is known about its tasks.
 */
export function projectSchema(files: FileTree, change: ChangeFolder): string | undefined {
  const metadata = metadataOf(change);
  if (metadata.problem) return undefined;
  const schema = metadata.schema ?? configuredSchema(files, path.join(change.root.specsDir, '..')) ?? DEFAULT_SCHEMA;
  return change.hasOwnSchema(schema) ? undefined : schema;
}

function configuredSchema(files: FileTree, dir: string): string | undefined {
  for (const name of ['config.yaml', 'config.yml']) {
    const read = readTextFile(files, path.join(dir, name));
    if (read.kind !== 'text') continue;
    const { data } = readPlainYaml(read.file.text) ?? readFullYaml(read.file.text);
    const schema = data['schema'];
    return typeof schema === 'string' ? schema : undefined;
  }
  return undefined;
}
