/**
 * Accepted findings. A finding is identified by its rule, file and evidence, not by its line, so it stays accepted when lines
 * move and is new when the text changes. The file contains hashes, names of skills and reasons, and can be committed.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { isInside } from '../core/inside.ts';
import { isRecord, readJsonFile } from '../core/json-file.ts';
import { compareText } from '../core/text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { FolderScan } from './scan-folders.ts';

type Found = FolderScan['findings'][number];
interface Known {
  code: string;
  /** Path relative to the folder of the baseline, or `~/…`. */
  file: string;
  evidence: string;
  count: number;
  /** Full name of the skill, for the reader of the file. */
  skill?: string;
  /** Why the finding is accepted. */
  reason?: string;
  /** The last day on which it is accepted, as YYYY-MM-DD. */
  expires?: string;
}

/** Stored with findings that are new in the baseline. */
export interface Acceptance {
  reason?: string | undefined;
  expires?: string | undefined;
}

export class Baseline {
  readonly file: string;
  readonly #workspace: Workspace;
  readonly #known: Map<string, Known>;

  private constructor(workspace: Workspace, file: string, known: Iterable<Known>) {
    this.#workspace = workspace;
    this.file = file;
    this.#known = new Map([...known].map((each) => [keyOf(each), { ...each }]));
  }

  static read(workspace: Workspace, file: string): Baseline {
    const read = readJsonFile(workspace.disk, file);
    if (read.kind === 'missing')
      throw new Failure('NOT_FOUND', `There is no baseline ${file}.`, {
        path: file,
        hint: 'Write one with lectern scan --write-baseline <file>.',
      });
    const value = read.kind === 'value' ? read.value : undefined;
    const known = isRecord(value) && value['baselineVersion'] === 1 ? value['findings'] : undefined;
    if (!Array.isArray(known) || !known.every(isKnown))
      throw new Failure('REFUSED', `${file} is not a baseline of lectern scan.`, {
        path: file,
        hint: 'Rewrite it with lectern scan --write-baseline <file>.',
      });
    return new Baseline(workspace, file, known);
  }

  /** Findings that the file already has keep their reason and day. */
  static of(workspace: Workspace, file: string, findings: readonly Found[], acceptance: Acceptance = {}): Baseline {
    const before = readJsonFile(workspace.disk, file).kind === 'missing' ? undefined : Baseline.read(workspace, file);
    const { reason, expires } = acceptance;
    const known = new Map<string, Known>();
    for (const found of findings) {
      const plain = { ...describe(workspace, file, found), skill: found.item };
      const old = before && before.#known.get(keyOf(plain));
      const kept = old ? { reason: old.reason, expires: old.expires } : { reason, expires };
      const one: Known = {
        ...plain,
        ...(kept.reason === undefined ? {} : { reason: kept.reason }),
        ...(kept.expires === undefined ? {} : { expires: kept.expires }),
      };
      const other = known.get(keyOf(one));
      if (other) other.count += 1;
      else known.set(keyOf(one), one);
    }
    return new Baseline(workspace, file, known.values());
  }

  /** Whether the finding is accepted on a day. Each entry covers as many findings as were recorded. */
  takes(found: Found, today: string): boolean {
    const known = this.#known.get(keyOf(describe(this.#workspace, this.file, found)));
    if (!known || known.count <= 0 || (known.expires !== undefined && known.expires < today)) return false;
    known.count -= 1;
    return true;
  }

  write(): void {
    const findings = [...this.#known.values()].sort((a, b) => compareText(keyOf(a), keyOf(b)));
    const text = `${JSON.stringify({ baselineVersion: 1, findings }, null, 2)}\n`;
    this.#workspace.diskFor('project').replace(this.file, text);
  }
}

function describe({ options }: Workspace, baseline: string, { diagnostic }: Found): Known {
  const { code, path: place, evidence = '', message } = diagnostic;
  const { userDir } = options;
  const root = path.dirname(baseline);
  const isOfUser = !isInside(root, place) && userDir !== undefined && isInside(userDir, place);
  const below = isOfUser ? path.join('~', path.relative(userDir, place)) : path.relative(root, place);
  const hash = createHash('sha256').update(evidence === '' ? message : evidence);
  return { code, file: below.split(path.sep).join('/'), evidence: hash.digest('hex'), count: 1 };
}

function keyOf({ file, code, evidence }: Known): string {
  return [file, code, evidence].join('\0');
}

function isKnown(value: unknown): value is Known {
  return (
    isRecord(value) &&
    typeof value['code'] === 'string' &&
    typeof value['file'] === 'string' &&
    typeof value['evidence'] === 'string' &&
    Number.isSafeInteger(value['count']) &&
    isOptionalText(value['skill']) &&
    isOptionalText(value['reason']) &&
    (value['expires'] === undefined || (typeof value['expires'] === 'string' && DAY.test(value['expires'])))
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** A day as it is written in a baseline. */
export const DAY = /^\d{4}-\d{2}-\d{2}$/u;
