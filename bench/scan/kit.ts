/** Reads the skills and sentences that measure the scan. README.md describes the format. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const CATEGORIES = [
  'prompt-injection',
  'agent-tampering',
  'credential-access',
  'exfiltration',
  'obfuscation',
  'impersonation',
  'destructive',
  'supply-chain',
  'persistence',
] as const;

export const INTENTS = ['conceal', 'override', 'exfiltrate', 'disable-safety', 'impersonate'] as const;

export type Category = (typeof CATEGORIES)[number];
export type Intent = (typeof INTENTS)[number];

export interface KitSkill {
  name: string;
  category: Category | 'honest';
  /** The harm is hard to see: spread over files, encoded, conditional, or worded plausibly. */
  subtle: boolean;
  /** The passage that does the harm, whose text occurs once in the file. Honest skills have none. */
  harm?: { file: string; text: string };
  files: Record<string, string>;
}

export interface KitSentence {
  /** Sentences of `tune` may be learned from; those of `report` are only for measuring. */
  split: 'tune' | 'report';
  intent: Intent;
  /** False for a harmless sentence that shares words with orders of this intent. */
  hostile: boolean;
  text: string;
}

/** Relative to the root of the repository, where tests and benches run. */
const HERE = 'bench/scan';
const HEADER = /^=== skill ([a-z0-9-]+) \| ([a-z-]+)( \| subtle)?$/u;

/** Reads every skill of `attacks` or `honest`, in the order of the files' names. */
export function readKit(part: 'attacks' | 'honest'): KitSkill[] {
  const dir = path.join(HERE, part);
  const names = readdirSync(dir).filter((name) => name.endsWith('.txt'));
  return names.sort().flatMap((name) => parseKit(readFileSync(path.join(dir, name), 'utf8')));
}

/** Parses one text file of skills. Throws at a line that does not fit the format. */
export function parseKit(text: string): KitSkill[] {
  const skills: KitSkill[] = [];
  let lines: string[] | undefined;
  let skill: KitSkill | undefined;
  let file = '';
  const closeFile = () => {
    if (skill && lines) skill.files[file] = expand(`${lines.join('\n').trimEnd()}\n`);
    lines = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    const fail = (reason: string): never => {
      throw new Error(`line ${index + 1}: ${reason}: ${line}`);
    };
    if (line.startsWith('===')) {
      closeFile();
      skill = parseHeader(line) ?? fail('not a skill header');
      skills.push(skill);
    } else if (line.startsWith('--- ')) {
      closeFile();
      file = line.slice(4);
      if (!skill || Object.hasOwn(skill.files, file)) fail('a file outside a skill, or a second one of this path');
      lines = [];
    } else if (lines) lines.push(line);
    else if (skill && line.startsWith('harm: ')) skill.harm = parseHarm(line) ?? fail('not "harm: file | text"');
    else if (line !== '' && !line.startsWith('# ')) fail('text outside a file');
  }
  closeFile();
  return skills;
}

/** Reads the labeled sentences. */
export function readSentences(): KitSentence[] {
  const lines = readFileSync(path.join(HERE, 'sentences.txt'), 'utf8').trimEnd().split('\n');
  return lines.map(parseSentence);
}

function parseHeader(line: string): KitSkill | undefined {
  const [, name, word, subtle] = HEADER.exec(line) ?? [];
  const category = [...CATEGORIES, 'honest' as const].find((one) => one === word);
  return name && category ? { name, category, subtle: subtle !== undefined, files: {} } : undefined;
}

function parseHarm(line: string): KitSkill['harm'] {
  const [file, ...text] = line.slice('harm: '.length).split(' | ');
  return file && text.length > 0 ? { file, text: expand(text.join(' | ')) } : undefined;
}

/** Replaces `<U+200B>` and the like, which keep invisible characters visible in the text files. */
function expand(text: string): string {
  return text.replace(/<U\+([0-9A-F]{4,5})>/gu, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

function parseSentence(line: string, index: number): KitSentence {
  const [split, label = '', text] = line.split('\t');
  const word = label.replace(/^honest:/u, '');
  const intent = INTENTS.find((one) => one === word);
  if ((split !== 'tune' && split !== 'report') || !intent || !text) {
    throw new Error(`sentences.txt:${index + 1}: not "split, label, sentence": ${line}`);
  }
  return { split, intent, hostile: word === label, text };
}
