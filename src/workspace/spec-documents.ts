import path from 'node:path';
import { stampText } from '../core/disk/tree.ts';
import { textOf } from '../core/headings.ts';
import type { SearchDocument } from '../search/document.ts';
import type { SpecCatalog } from '../specs/catalog.ts';
import type { ChangeFolder } from '../specs/change-folder.ts';
import { describeRequirement, type ParsedSpec } from '../specs/parse-spec.ts';
import type { SpecFile } from '../specs/spec-file.ts';
import type { TextFile } from '../specs/text-file.ts';

/** Returns a document for every requirement of every spec, with its scenarios, and for every active change. */
export function specDocuments(catalog: SpecCatalog, projectDir: string): SearchDocument[] {
  return [
    ...catalog.specs.flatMap((spec) => requirementDocuments(spec, projectDir)),
    ...catalog.changes.map((change) => changeDocument(change, projectDir)),
  ];
}

function requirementDocuments(spec: SpecFile, projectDir: string): SearchDocument[] {
  const { parsed, file } = spec;
  const seen = new Map<string, number>();
  const context = contextOf(parsed);
  return parsed.requirements.map((requirement): SearchDocument => {
    const { name, scenarios, to } = requirement;
    const copy = (seen.get(name) ?? 0) + 1;
    seen.set(name, copy);
    const end = Math.max(to, ...scenarios.map((scenario) => scenario.to));
    return {
      kind: 'requirement',
      id: `${spec.id}/${name}`,
      // A spec may have two requirements with the same name. Both can be found.
      key: `${path.relative(projectDir, file.path)}#${name}${copy > 1 ? `#${copy}` : ''}`,
      name,
      names: [name, spec.title],
      path: file.path,
      description: describeRequirement(parsed, requirement),
      ...context,
      ...stampOf(file),
      body: () => textOf(parsed.outline, to, end),
      extras: { spec_id: spec.id, requirement: name },
    };
  });
}

/**
 * Returns the purpose of a spec, which names its subject in ordinary words. Questions are about the subject as much as about a
 * single requirement. The placeholder that archiving leaves has no meaning.
 */
function contextOf({ purpose }: Pick<ParsedSpec, 'purpose'>): { context?: string } {
  const text = purpose.trim().slice(0, CONTEXT_CHARACTERS);
  return text === '' || text.startsWith('TBD') ? {} : { context: text };
}

/** Every requirement of a spec repeats its purpose, so a very long one is cut. */
const CONTEXT_CHARACTERS = 2_000;

function changeDocument(change: ChangeFolder, projectDir: string): SearchDocument {
  const deltas = change.deltas.map(({ file }) => file);
  const files = [change.proposal, change.design, change.tasksFile, ...deltas].filter((file) => file !== undefined);
  return {
    kind: 'change',
    id: change.id,
    key: path.relative(projectDir, change.dir),
    name: change.title,
    names: [change.title, change.id],
    path: change.proposal?.path ?? change.dir,
    description: firstParagraph(change),
    ...stampOf(...files),
    body: () => files.map(({ text }) => text).join('\n\n'),
  };
}

/** Returns the first paragraph of the proposal, which usually gives the reason for the change. */
function firstParagraph({ proposalOutline }: ChangeFolder): string {
  const { headings, lines } = proposalOutline;
  const headingLines = new Set(headings.map(({ line }) => line));
  const from = lines.findIndex((line, index) => line.trim() !== '' && !headingLines.has(index));
  if (from === -1) return '';
  const length = lines.slice(from).findIndex((line, index) => line.trim() === '' || headingLines.has(from + index));
  return textOf(proposalOutline, from, length === -1 ? lines.length : from + length);
}

/** Without a stamp, search compares the text. A file that was just written may change again and keep its stamp. */
function stampOf(...files: readonly TextFile[]): { stamp?: string } {
  if (files.some(({ racy }) => racy)) return {};
  return { stamp: files.map(({ stamp }) => stampText(stamp)).join(' ') };
}
