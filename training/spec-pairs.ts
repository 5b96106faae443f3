/** Pairs from specs and proposals of projects that use OpenSpec. Pure: texts in, pairs out. */
import { outlineOf, sectionEnd, textOf } from '../src/core/headings.ts';
import { STOP_WORDS } from '../src/search/words/stop-words.ts';
import { groupClauses } from '../src/specs/clauses.ts';
import {
  clausesOf,
  describeRequirement,
  type ParsedSpec,
  parseSpec,
  type Requirement,
} from '../src/specs/parse-spec.ts';
import type { TextPair } from './make-pairs.ts';

/** Enough for the steps of several scenarios. */
const SCENARIOS_CHARACTERS = 900;
/** A requirement with many scenarios would outweigh the others. */
const SCENARIOS_MAX = 4;
/** So would a proposal with many requirements. */
const REQUIREMENTS_MAX = 6;

/** In English prose, at least one word in this many is a function word. */
const WORDS_PER_FUNCTION_WORD = 10;

/** Pairs of a spec, or of the delta of a change. */
export function specPairs(text: string): TextPair[] {
  const { spec, purpose, requirements } = read(text);
  return requirements.flatMap(({ requirement, name, whole, description }) => {
    const scenarios = requirement.scenarios.map((scenario) => ({
      name: plain(scenario.name),
      steps: plain(textOf(spec.outline, scenario.from, scenario.to)),
      when: plain(groupClauses(clausesOf(spec, scenario).clauses).when),
    }));
    const all = scenarios.map((scenario) => `${scenario.name} ${scenario.steps}`).join(' ');
    const some = scenarios.slice(0, SCENARIOS_MAX);
    return [
      { type: 13, left: name, right: description },
      { type: 14, left: name, right: all.slice(0, SCENARIOS_CHARACTERS) },
      ...some.map((scenario) => ({ type: 15, left: scenario.name, right: whole })),
      ...some.map((scenario) => ({ type: 16, left: scenario.name, right: scenario.steps })),
      ...some.map((scenario) => ({ type: 17, left: scenario.when, right: whole })),
      { type: 18, left: whole, right: purpose },
    ];
  });
}

/** Pairs of the reason for a change and the requirements of its deltas. */
export function proposalPairs(proposal: string, deltas: readonly string[]): TextPair[] {
  const outline = outlineOf(withoutCode(proposal));
  const index = outline.headings.findIndex(({ text }) => /^why$/iu.test(text));
  const heading = outline.headings[index];
  const why = heading ? textOf(outline, heading.line + 1, sectionEnd(outline, index)) : '';
  if (!isEnglish(why)) return [];
  const requirements = deltas.flatMap((delta) => read(delta).requirements).slice(0, REQUIREMENTS_MAX);
  return requirements.map(({ whole }) => ({ type: 19, left: plain(why), right: whole }));
}

interface ReadSpec {
  spec: ParsedSpec;
  purpose: string;
  requirements: { requirement: Requirement; name: string; description: string; whole: string }[];
}

function read(text: string): ReadSpec {
  const spec = parseSpec(withoutCode(text));
  // Archiving leaves a placeholder.
  const purpose = spec.purpose.startsWith('TBD') ? '' : plain(spec.purpose);
  const requirements = spec.requirements
    .map((requirement) => {
      const [name, description] = [plain(requirement.name), plain(describeRequirement(spec, requirement))];
      return { requirement, name, description, whole: `${name} ${description}` };
    })
    .filter(({ description }) => isEnglish(description));
  return { spec, purpose, requirements };
}

function withoutCode(text: string): string {
  const { lines, fenced } = outlineOf(text);
  return lines.filter((_, index) => fenced[index] !== 1).join('\n');
}

/** Leaves the words of inline code, which are names of the subject, and of links. */
function plain(text: string): string {
  return text
    .replaceAll(/https?:\/\/[^\s)]+/gu, ' ')
    .replaceAll(/[[\]()*_`>#|]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const functionWords = words.filter((word) => STOP_WORDS.has(word)).length;
  return words.length > 0 && functionWords * WORDS_PER_FUNCTION_WORD >= words.length;
}
