/**
 * A folder of sources: texts that training pairs are made of, and `sources.json`, which says under which license each of them may
 * be used. A source without a license that allows it is left out, whatever it contains.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the files of a source are; see README.md. */
export const KINDS = ['skills', 'markdown', 'packages', 'wordnet', 'tasks', 'specs'] as const;
export type Kind = (typeof KINDS)[number];

export interface Source {
  /** Its folder below the folder of sources. */
  folder: string;
  kind: Kind;
  title: string;
  /** An identifier of the SPDX list. For skills: of those whose own frontmatter says nothing. */
  license?: string;
}

/** Licenses that allow training and need no more than a notice. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PDDL-1.0',
  'Unlicense',
  'WordNet',
  'Zlib',
]);

export function isPermissive(license: string | undefined): boolean {
  return license !== undefined && PERMISSIVE.has(license);
}

/** What the author of a skill writes, as an identifier: `MIT License` is `MIT`. Undefined if it says nothing we know. */
export function licenseInWords(text: string): string | undefined {
  const words = text.toLowerCase();
  if (/\b(?:no|non)[- ]?(?:commercial|derivative)|\b(?:nc|nd|sa)\b|proprietary|all rights reserved/u.test(words))
    return undefined;
  const known = [...PERMISSIVE].find((license) => license.toLowerCase() === words.trim());
  if (known !== undefined) return known;
  if (/\bmit\b/u.test(words)) return 'MIT';
  if (/\bapache\b.*\b2/u.test(words)) return 'Apache-2.0';
  if (/\bcc[- ]?0\b/u.test(words)) return 'CC0-1.0';
  return /\bcc[- ]by\b.*\b4/u.test(words) ? 'CC-BY-4.0' : undefined;
}

export function readSources(dir: string): Source[] {
  const parsed: unknown = JSON.parse(readFileSync(join(dir, 'sources.json'), 'utf8'));
  if (!isRecord(parsed) || !Array.isArray(parsed['sources'])) throw new Error('sources.json needs a list "sources"');
  return parsed['sources'].map((given: unknown, index) => {
    const at = `sources.json, source ${index + 1}`;
    if (!isRecord(given)) throw new Error(`${at}: not an object`);
    const { folder, kind, title = folder, license } = given;
    const known = KINDS.find((each) => each === kind);
    if (typeof folder !== 'string' || !/^[\w.-]+$/u.test(folder) || folder.startsWith('.'))
      throw new Error(`${at}: "folder" is the name of a folder beside sources.json`);
    if (known === undefined) throw new Error(`${at}: "kind" is one of ${KINDS.join(', ')}`);
    if (typeof title !== 'string' || (license !== undefined && typeof license !== 'string'))
      throw new Error(`${at}: "title" and "license" are texts`);
    return { folder, kind: known, title, ...(license === undefined ? {} : { license }) };
  });
}

/** The files of a source in a fixed order, so that the same folder gives the same pairs. Links are not followed. */
export function filesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = join(dir, entry.name);
      if (entry.isDirectory()) return filesBelow(file);
      return entry.isFile() ? [file] : [];
    });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
