/**
 * Reads prompts with expected skills from evaluation files, in the shapes that are common:
 *
 *   {"skill_name": "pdf", "evals": [{"prompt": "…"}]}                      evals of one skill
 *   [{"query": "…", "should_trigger": true}]                              trigger tests of the skill in whose folder the file is
 *   [{"prompt": "…", "expected_skill": "pdf"}]                            prompts with skills; also inside an object
 *
 * A file with an object on each line is read as a list.
 */
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { tryParseJson } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, grouped, oneLine } from '../core/text.ts';

export interface ReadEvals {
  /** With the number of the entry, for messages. */
  expectations: { entry: string; request: string; expect: string }[];
  notRead: { entry: string; reason: string }[];
}

const PROMPT_KEYS = ['prompt', 'query', 'request', 'user_prompt', 'input', 'question'] as const;
const SKILL_KEYS = [
  'expect',
  'expected_skill',
  'expectedSkill',
  'expected_skills',
  'expectedSkills',
  'skill',
  'skills',
];
/** With `false`, the skill of the entry must not be used. */
const TRIGGER_KEYS = ['should_trigger', 'shouldTrigger', 'should_activate', 'expected_trigger'] as const;
const LIST_KEYS = ['evals', 'requests', 'cases', 'tests', 'prompts', 'queries', 'items'] as const;
const SKILL_NAME_KEYS = ['skill_name', 'skillName', 'skill', 'name'] as const;

type Json = Readonly<Record<string, unknown>>;

/** Fails if the file is not JSON or has no list of entries. */
export function readEvals(text: string, file: string): ReadEvals {
  const { list, skill } = entriesIn(parse(text, file), file);
  const read: ReadEvals = { expectations: [], notRead: [] };
  for (const [index, value] of list.entries()) {
    const entry = String(index + 1);
    if (index >= LIMITS.savedRequests.value) {
      const left = grouped(list.length - index);
      read.notRead.push({ entry, reason: `Only ${grouped(index)} requests can be saved; ${left} were left out.` });
      break;
    }
    const found = readEntry(value, skill);
    if (typeof found === 'string') read.notRead.push({ entry, reason: found });
    else read.expectations.push({ entry, ...found });
  }
  return read;
}

function parse(text: string, file: string): unknown {
  const json = text.replace(/^\uFEFF/u, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    const lines = json.split('\n').flatMap((line) => (line.trim() === '' ? [] : [tryParseJson(line)]));
    if (lines.length > 1 && lines.every(isObject)) return lines;
    throw new Failure('INVALID_CONFIG', `${file} is not valid JSON.`, {
      path: file,
      hint: error instanceof Error ? echo(error.message) : 'Correct the file.',
    });
  }
}

function entriesIn(data: unknown, file: string): { list: readonly unknown[]; skill: string | undefined } {
  if (Array.isArray(data)) return { list: data, skill: skillOfFolder(file) };
  if (isObject(data)) {
    const list = LIST_KEYS.map((key) => data[key]).find((value) => Array.isArray(value));
    if (list) return { list, skill: textIn(data, SKILL_NAME_KEYS) ?? skillOfFolder(file) };
  }
  throw new Failure('INVALID_CONFIG', `${file} has no list of entries.`, {
    path: file,
    hint: 'It must be a list of objects with prompt and expected_skill, or an object with skill_name and evals.',
  });
}

/** Evals of a skill are usually in its folder, or in a folder `evals` of it. */
function skillOfFolder(file: string): string | undefined {
  const dir = path.dirname(file);
  const name = path.basename(/^(?:evals?|tests?)$/iu.test(path.basename(dir)) ? path.dirname(dir) : dir);
  return name === '' ? undefined : name;
}

/** Returns the reason if the entry cannot be used. */
function readEntry(value: unknown, skill: string | undefined): { request: string; expect: string } | string {
  if (!isObject(value)) return 'The entry is not an object.';
  const request = oneLine(textIn(value, PROMPT_KEYS) ?? '');
  if (request === '') return 'The entry has no prompt.';
  const { value: max } = LIMITS.triedCharacters;
  if (request.length > max) return `The prompt is longer than ${grouped(max)} characters.`;
  const isNegative = TRIGGER_KEYS.some((each) => value[each] === false);
  const key = SKILL_KEYS.find((each) => Object.hasOwn(value, each));
  if (key !== undefined) {
    const expect = expectedIn(value[key]);
    if (isNegative && expect !== 'none') return NOT_THIS_SKILL;
    return expect === undefined ? 'The entry expects several skills, or none that is a text.' : { request, expect };
  }
  if (isNegative) return NOT_THIS_SKILL;
  return skill === undefined ? 'The entry names no skill.' : { request, expect: skill };
}

const NOT_THIS_SKILL = 'The entry names a skill that must not be used, and not the one that should be.';

function expectedIn(value: unknown): string | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof only === 'string' && only.trim() !== '' ? oneLine(only) : undefined;
}

function textIn(data: Json, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
