/**
 * Skills of many teams for the bench of a shared catalog: the same on every machine. Words and phrases are those of this
 * repository's pages, examples and fixtures, so common words are common and rare ones rare; each source adds words of its own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface MadeFile {
  path: string;
  text: string;
}

export interface MadeSource {
  team: string;
  /** The folders of its skills, which are also their names. */
  names: string[];
  files: MadeFile[];
}

export const PER_SOURCE = 500;
const ACTIONS = 'review plan audit write migrate measure explain repair convert summarize compare schedule'.split(' ');
const TOPICS = 'invoice database deployment translation incident release security design billing search'.split(' ');
const SYLLABLES = 'ba ke lo mi nu ra se ti vo xa ze dor fin gal hup jes'.split(' ');

const TEXT = ['docs', 'examples/bookshop', 'test/fixtures/search'].flatMap(wordsBelow);

function wordsBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:md|txt)$/u.test(name))
    .sort()
    .flatMap((name) => readFileSync(path.join(dir, name), 'utf8').match(/[\p{L}\p{N}'-]{1,24}/gu) ?? []);
}

/** A small generator of pseudo-random numbers, seeded. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function teamOf(source: number): string {
  return `team-${String(source).padStart(3, '0')}`;
}

/** Another `version` changes the text of its first skill. */
export function makeSource(source: number, version = 1): MadeSource {
  const next = random(source + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const ownWords = Array.from({ length: 300 }, () => pick(SYLLABLES) + pick(SYLLABLES) + pick(SYLLABLES));
  const prose = (characters: number): string => {
    let text = '';
    while (text.length < characters) {
      const at = Math.floor(next() * TEXT.length);
      text += `${TEXT.slice(at, at + 4 + Math.floor(next() * 12)).join(' ')} ${next() < 0.3 ? `${pick(ownWords)} ` : ''}`;
    }
    return text.trim();
  };
  const files: MadeFile[] = [];
  const names: string[] = [];
  for (let index = 0; index < PER_SOURCE; index++) {
    const topic = `${pick(ACTIONS)}-${pick(TOPICS)}`;
    // One in twenty has a name that other sources have too.
    const name = index % 20 === 7 ? `common-${topic}-${index}` : `${topic}-${source}-${index}`;
    names.push(name);
    const below = `skills/${name}`;
    const sections: string[] = [];
    for (let left = 2_000 + next() * 6_000; left > 0; left -= 800)
      sections.push(
        `## ${prose(20)}\n\n${prose(700)}\n\n1. ${prose(40)}\n\n\`\`\`sh\n${pick(ACTIONS)} --help\n\`\`\`\n`,
      );
    const extra = index === 0 ? `\nVersion ${version}: ${prose(40 + version)}.\n` : '';
    files.push({
      path: `${below}/SKILL.md`,
      text: `---\nname: ${name}\ndescription: ${JSON.stringify(prose(80 + next() * 200))}\n---\n\n# ${name}\n\n${sections.join('\n')}${extra}`,
    });
    for (let file = 0; file < index % 3; file++)
      files.push({ path: `${below}/references/part-${file}.md`, text: `${prose(1_000)}\n` });
  }
  for (const topic of TOPICS.slice(0, 3))
    files.push({ path: `openspec/specs/${topic}/spec.md`, text: spec(topic, prose) });
  return { team: teamOf(source), names, files };
}

function spec(topic: string, prose: (characters: number) => string): string {
  const requirements = [1, 2, 3].map(
    (each) =>
      `### Requirement: ${topic} ${each}\nThe system SHALL ${prose(80)}.\n\n#### Scenario: ${each}\n- **WHEN** ${prose(30)}\n- **THEN** ${prose(30)}\n`,
  );
  return `# ${topic}\n\n## Purpose\n\n${prose(120)}\n\n## Requirements\n\n${requirements.join('\n')}`;
}

/** Questions of two or three words that some skills have. */
export function questions(count: number): string[] {
  const next = random(count);
  const words = [...new Set(TEXT.filter((word) => /^[a-z]{5,12}$/u.test(word)))];
  const word = (): string => words[Math.floor(next() * words.length)] ?? '';
  return Array.from({ length: count }, (_, index) => Array.from({ length: 2 + (index % 2) }, word).join(' '));
}
