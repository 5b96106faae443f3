import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import type { SearchDocument } from '../../src/search/document.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';
import { specDocuments } from '../../src/workspace/spec-documents.ts';

export interface Question {
  query: string;
  expected: readonly string[];
}

export type QuestionKind = 'paraphrase' | 'keyword' | 'off-topic';

export type Questions = Record<QuestionKind, Question[]>;

export interface Fixture {
  documents: SearchDocument[];
  /** The ranking's weights were chosen on these. */
  questions: Questions;
  /** Nothing was ever chosen on these. */
  heldOut: Questions;
}

/** Reads the quality fixture; the folder is handed in because bundles move. */
export function readFixture(dir: string): Fixture {
  return {
    documents: readDocuments(`${dir}/corpus.txt`),
    questions: readQuestions(`${dir}/queries.txt`),
    heldOut: readQuestions(`${dir}/held-out.txt`),
  };
}

/** Reads a corpus of several files without questions, in the order of the files' names. */
export function readCorpus(dir: string): SearchDocument[] {
  const files = readdirSync(dir).filter((file) => file.endsWith('.txt'));
  return files.sort().flatMap((file) => readDocuments(`${dir}/${file}`));
}

/** Reads specs as the product does, so that a requirement has the same searchable texts as in a project. */
export function readRequirements(dir: string): SearchDocument[] {
  const projectDir = path.resolve(dir);
  return specDocuments(new SpecCatalog(nodeFiles, { projectDir, ancestors: [projectDir] }), projectDir);
}

/** Reads a file of questions in sections, one question a line with the ids it should find. */
export function readQuestions(file: string): Questions {
  return parseQuestions(readFileSync(file, 'utf8'));
}

function readDocuments(file: string): SearchDocument[] {
  return readFileSync(file, 'utf8').split(/^=== /mu).slice(1).map(parseDocument);
}

function parseDocument(block: string): SearchDocument {
  const [head = '', ...rest] = block.split('\n');
  const kind = head.slice(0, head.indexOf(' '));
  if (kind !== 'skill' && kind !== 'requirement' && kind !== 'change') throw new Error(`unknown kind: ${head}`);
  const [first = '', title = ''] = head.slice(kind.length + 1).split(' :: ');
  const [description = '', body = ''] = rest.join('\n').split('\n---\n');
  const id = kind === 'requirement' ? `${first}/${title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}` : first;
  const name = title === '' ? first : title;
  return { kind, id, name, names: [name], path: `${kind}s/${id}.md`, description, body: () => body };
}

function parseQuestions(text: string): Questions {
  const questions: Questions = { paraphrase: [], keyword: [], 'off-topic': [] };
  let kind: QuestionKind = 'off-topic';
  for (const line of text.split('\n')) {
    const section = /^# (paraphrase|keyword|off-topic):/u.exec(line)?.[1];
    if (section === 'paraphrase' || section === 'keyword' || section === 'off-topic') kind = section;
    else if (line !== '') {
      const [query = '', expected = ''] = line.split(' => ');
      questions[kind].push({ query, expected: expected === '' ? [] : expected.split(',') });
    }
  }
  return questions;
}
