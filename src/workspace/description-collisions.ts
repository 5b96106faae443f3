/** Compares the descriptions of the validated skills with each other. */
import type { Diagnostic } from '../core/diagnostics.ts';
import { sha256Of } from '../core/sha256.ts';
import { count, echo, foldName, oneLine } from '../core/text.ts';
import { areDistinguished, COMPETING, readComparedLine, sharedWords, similarPairs } from '../search/similar-lines.ts';
import { descriptionCollides } from '../skills/codes.ts';
import type { Skill } from '../skills/skill.ts';
import { bundledModel } from './open-search.ts';

/** Number of common words in a message. */
const WORDS_SHOWN = 3;

interface Rival {
  skill: Skill;
  similarity: number;
  words: readonly string[];
}

/** Number of lists whose findings are cached: comparing three thousand descriptions takes seconds. */
const LISTS_MAX = 4;

const kept = new Map<string, ReadonlyMap<string, Diagnostic[]>>();

/** Returns one finding for each affected skill, by file, about the most similar other one. Versions of one name are not compared. */
export function findCollisions(skills: readonly Skill[]): ReadonlyMap<string, Diagnostic[]> {
  const enabled = skills.filter(({ disabled }) => !disabled);
  const key = sha256Of(JSON.stringify(enabled.map(({ file, name, description }) => [file, name, description])));
  const found = kept.get(key) ?? compare(enabled);
  kept.delete(key);
  kept.set(key, found);
  for (const oldest of kept.keys()) if (kept.size > LISTS_MAX) kept.delete(oldest);
  return found;
}

function compare(enabled: readonly Skill[]): ReadonlyMap<string, Diagnostic[]> {
  const model = bundledModel();
  const lines = enabled.map(({ name, description }) => readComparedLine(model, name, oneLine(description)));
  const rivals = new Map<Skill, Rival[]>();
  for (const { a, b, similarity } of similarPairs(lines, COMPETING).pairs) {
    const [skill, other, line, otherLine] = [enabled[a], enabled[b], lines[a], lines[b]];
    if (!skill || !other || !line || !otherLine || foldName(skill.name) === foldName(other.name)) continue;
    if (areDistinguished(line, otherLine)) continue;
    const words = sharedWords(line, otherLine, WORDS_SHOWN);
    rivals.set(skill, [...(rivals.get(skill) ?? []), { skill: other, similarity, words }]);
    rivals.set(other, [...(rivals.get(other) ?? []), { skill, similarity, words }]);
  }
  return new Map([...rivals].map(([skill, own]) => [skill.file, [findingOf(skill, own)]]));
}

function findingOf({ file }: Skill, rivals: readonly Rival[]): Diagnostic {
  const best = rivals.reduce((first, each) => (each.similarity > first.similarity ? each : first));
  const more = rivals.length - 1;
  const rest = more === 0 ? '' : `, and ${count(more, 'other skill')}`;
  const words = best.words.length === 0 ? '' : `; both: ${best.words.join(', ')}`;
  return descriptionCollides.at({
    path: file,
    message: `the description is similar to that of ${echo(best.skill.name)}${rest} (${best.similarity.toFixed(2)}${words})`,
  });
}
