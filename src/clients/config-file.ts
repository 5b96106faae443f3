import { BYTE_ORDER_MARK, brokenFile, type ConfigFile, readConfigFile } from '../core/config-text/config-file.ts';
import type { Client } from './client.ts';
import { mergeIntoJson } from './json-merge.ts';
import type { Merge, Place } from './merge.ts';
import { mergeIntoToml } from './toml-merge.ts';
import { Failure } from '../core/failure.ts';
import type { FileTree } from '../core/disk/tree.ts';
import type { Disk } from '../core/disk/writes.ts';
import { clip } from '../core/text.ts';

const SHOWN_ENTRY_MAX_CHARACTERS = 300;

interface ClientFile {
  client: Client;
  file: string;
  name: string;
  place: Place;
  force: boolean;
  dryRun: boolean;
}

interface MergedFile {
  /** File content before and after the merge. `before` is undefined if there was no file. */
  before: string | undefined;
  after: string;
  /** Line of the existing entry. */
  line?: number;
}

/** Merges an entry into a client's file. Throws and leaves the file unchanged if that is not safe. */
export function mergeIntoFile(disk: Disk, request: ClientFile): MergedFile {
  const { client, file, place, dryRun } = request;
  const read = readClientFile(disk, client, file);
  const mark = read?.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = (read?.text ?? '').slice(mark.length);
  const merge = mergeEntry(client, text, place);
  if (merge.kind === 'same') return { before: read?.text, after: read?.text ?? '', line: merge.line };
  const after = mark + mergedText(merge, request);
  if (!dryRun) {
    if (read) disk.replace(read.realPath, after, read.stamp);
    else disk.create(file, after);
  }
  return { before: read?.text, after, ...(merge.kind === 'different' ? { line: merge.line } : {}) };
}

export function mergeEntry(client: Client, text: string, place: Place): Merge {
  if (client.format === 'yaml') return { kind: 'broken', reason: 'it is YAML, which setup does not change' };
  return client.format === 'toml' ? mergeIntoToml(text, place) : mergeIntoJson(text, client.dialect, place);
}

function mergedText(merge: Exclude<Merge, { kind: 'same' }>, { client, file, name, force }: ClientFile): string {
  if (merge.kind === 'broken') {
    const hint = 'Correct the file, or add the entry by hand. Run the command without --write to print it.';
    throw brokenFile(file, merge, hint);
  }
  if (merge.kind === 'different' && !force) {
    const show = (value: unknown): string =>
      clip(JSON.stringify(value, withoutSecrets) ?? 'nothing', SHOWN_ENTRY_MAX_CHARACTERS);
    throw new Failure(
      'REFUSED',
      `${client.title} already has a different server "${name}": ${show(merge.existing)} instead of ${show(merge.wanted)}.`,
      {
        path: file,
        line: merge.line,
        hint: 'Use --force to replace it, or --name to add the server under another name.',
      },
    );
  }
  return merge.text;
}

/** Hides environments and headers, which contain keys and tokens: the message may be logged. */
function withoutSecrets(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return /^(?:env|environment|headers|http_headers)$/u.test(key) ? '…' : value;
}

/** `verdict` is used in the message if the file is unusable. */
export function readClientFile(
  disk: FileTree,
  { title, refusesMark }: Client,
  file: string,
  verdict = 'was not changed',
): ConfigFile | undefined {
  return readConfigFile(disk, file, { title, refusesMark: refusesMark === true, verdict });
}
