/** Evaluates strings that Python and JavaScript code puts together: sums, lists that are joined, reversed and replaced text. */
import type { Edit } from './mapped.ts';

interface Literal {
  start: number;
  end: number;
  value: string;
}

const LITERAL =
  /(?<![\w"'`\\])[rbfuRBFU]?(?:"((?:[^"\\\n]|\\.){0,4000})"|'((?:[^'\\\n]|\\.){0,4000})'|`((?:[^`\\\n$]|\\.){0,4000})`)/gu;
const CONSTANT =
  /^[ \t]*(?:(?:export )?(?:const|let|var) )?([A-Za-z_$][\w$]{0,40})[ \t]{0,4}(?::[ \t]{0,2}\w{1,20}[ \t]{0,2})?=[ \t]{0,4}(["'])([^"'\\\n]{1,400})\2[ \t]{0,4};?(?=[ \t]{0,4}(?:#|\/\/|$))/gmu;
/** Longest gap between the parts of one expression. */
const GAP_CHARACTERS = 120;
const MAX_VALUE = 8_000;

/** Returns the strings of a program that consist of parts, with their values. */
export function joinedStrings(text: string, isPython: boolean): Edit[] {
  const literals = [...text.matchAll(LITERAL)].map(({ index, 0: whole, 1: double, 2: single, 3: back }): Literal => ({
    start: index,
    end: index + whole.length,
    value: double ?? single ?? back ?? '',
  }));
  if (literals.length === 0) return [];
  const constants = constantsOf(text);
  const edits: Edit[] = [];
  for (let index = 0; index < literals.length;) {
    const [next, edit] = evaluate({ text, literals, constants, isPython }, index);
    if (edit) edits.push(edit);
    index = Math.max(next, index + 1);
  }
  return [...edits, ...filledIn(text, constants)].sort((a, b) => a.start - b.start);
}

interface Program {
  text: string;
  literals: readonly Literal[];
  constants: ReadonlyMap<string, string>;
  isPython: boolean;
}

/** Evaluates the expression that begins with a literal. Returns the index of the literal after it. */
function evaluate(program: Program, first: number): [number, Edit | undefined] {
  const { text, literals } = program;
  const head = literals[first];
  if (!head) return [first + 1, undefined];
  const lead = leadOf(program, head);
  let [value, end, index] = [lead.value + head.value, head.end, first + 1];
  const seams: number[] = lead.value === '' ? [] : [lead.value.length];
  const list = /[[(]\s{0,8}$/u.test(text.slice(Math.max(0, head.start - 12), head.start));
  let isList = false;
  for (; index < literals.length && value.length < MAX_VALUE; index++) {
    const next = literals[index];
    if (!next) break;
    const gap = text.slice(end, Math.min(next.start, end + GAP_CHARACTERS));
    if (next.start - end > GAP_CHARACTERS) break;
    const between = gapValue(gap, program, list);
    if (between === undefined) break;
    isList ||= between.isList;
    value += between.value;
    seams.push(value.length);
    value += next.value;
    end = next.end;
  }
  const tail = text.slice(end, end + GAP_CHARACTERS);
  if (isList) {
    const joined = isJoined(text, head.start, tail);
    return [index, joined === undefined ? undefined : editOf(joined === 0 ? head.start : joined, end, value, seams)];
  }
  const reversed = /^\s{0,4}(?:\[::-1\]|\.split\(["']{2}\)\.reverse\(\)\.join\(["']{2}\))/u.exec(tail);
  if (reversed && value.length > 5)
    return [
      index,
      { start: head.start, end: end + reversed[0].length, text: quoted([...value].reverse().join('')), hidden: true },
    ];
  const removed = /^\.(?:replace|replaceAll)\(\s?(?:["']|\/)([^"'/\n]{1,8})(?:["']|\/g?)\s?,\s?["']{2}\s?\)/u.exec(
    tail,
  );
  const filler = removed?.[1];
  if (removed && filler !== undefined && value.split(filler).length > 3)
    return [
      index,
      { start: head.start, end: end + removed[0].length, text: quoted(value.replaceAll(filler, '')), hidden: true },
    ];
  return [index, seams.length === 0 ? undefined : editOf(lead.start, end, value, seams)];
}

/** A constant that the first literal is added to. */
function leadOf({ text, constants }: Program, head: Literal): { start: number; value: string } {
  const before = text.slice(Math.max(0, head.start - 60), head.start);
  const found = /(?<![\w$.])([A-Za-z_$][\w$]{0,40})\s{0,3}\+\s{0,3}$/u.exec(before);
  const value = found?.[1] === undefined ? undefined : constants.get(found[1]);
  return value === undefined || !found
    ? { start: head.start, value: '' }
    : { start: head.start - found[0].length, value };
}

/** Returns the value between two literals of one expression, or undefined if they are not parts of one. */
function gapValue(
  gap: string,
  { constants, isPython }: Program,
  isInBrackets: boolean,
): { value: string; isList: boolean } | undefined {
  if (/^\s*\+\s*$/u.test(gap)) return { value: '', isList: false };
  if (isPython && /^\s*$/u.test(gap)) return { value: '', isList: false };
  if (isInBrackets && /^\s*,\s*$/u.test(gap)) return { value: '', isList: true };
  const name = /^\s{0,4}\+\s{0,4}([A-Za-z_$][\w$]{0,40})\s{0,4}\+\s{0,4}$/u.exec(gap)?.[1];
  const value = name === undefined ? undefined : constants.get(name);
  return value === undefined ? undefined : { value, isList: false };
}

/** Whether a list of literals is joined without a separator; returns where the expression begins. */
function isJoined(text: string, start: number, tail: string): number | undefined {
  if (/^\s{0,4},?\s{0,4}\]\s{0,4}\)?\s{0,2}\.join\(\s?["']{2}\s?\)/u.test(tail)) return 0;
  const before = /["']{2}\.join\(\s?[[(]\s{0,8}$/u.exec(text.slice(Math.max(0, start - 24), start));
  return before ? start : undefined;
}

function editOf(start: number, end: number, value: string, seams: readonly number[]): Edit {
  // Long texts are split at spaces. A seam inside a word hides the word.
  const hidden = seams.some(
    (seam) => /^[A-Za-z/:.~_-]{2}$/u.test(value.slice(seam - 1, seam + 1)) && isSuspicious(value, seam),
  );
  return { start, end, text: quoted(value), hidden };
}

const SUSPICIOUS =
  /https?:\/\/|\b(?:curl|wget|bash|eval|exec|popen|base64|system|socket|subprocess|child_process|b64decode|urlopen|id_rsa|credentials|powershell|authorized_keys|\.ssh|\.aws|\.env|rm -rf|bashrc|zshrc|crontab|keychain|environ|__import__)\b/giu;

/** Whether a suspicious word lies across the seam. */
function isSuspicious(value: string, seam: number): boolean {
  const from = Math.max(0, seam - 20);
  for (const match of value.slice(from, seam + 20).matchAll(SUSPICIOUS)) {
    const start = from + match.index;
    // `https://` is often written together with a host that follows.
    if (start < seam && start + match[0].length > seam) return true;
  }
  return false;
}

function quoted(value: string): string {
  return `"${value.replaceAll('"', "'")}"`;
}

/** Constants that are assigned once. */
function constantsOf(text: string): Map<string, string> {
  const constants = new Map<string, string>();
  const twice = new Set<string>();
  for (const [, name = '', , value = ''] of text.matchAll(CONSTANT)) {
    if (constants.has(name)) twice.add(name);
    else if (constants.size < 500) constants.set(name, value);
  }
  for (const name of twice) constants.delete(name);
  return constants;
}

/** Fills constants into f-strings and templates. */
function filledIn(text: string, constants: ReadonlyMap<string, string>): Edit[] {
  if (constants.size === 0) return [];
  const edits: Edit[] = [];
  for (const match of text.matchAll(/\$?\{([A-Za-z_$][\w$]{0,40})\}/gu)) {
    const value = constants.get(match[1] ?? '');
    if (value === undefined) continue;
    const start = match.index;
    const end = start + match[0].length;
    const around = text.charAt(start - 1) + text.charAt(end);
    edits.push({ start, end, text: value, hidden: /^[a-z]{2}$/iu.test(around) && value.length < 6 });
  }
  return edits;
}
