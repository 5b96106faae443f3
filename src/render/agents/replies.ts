/** The text replies of the tools. Structured results have the same facts, out of reach of any text in a file. */
import path from 'node:path';
import type { ExplainedError } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { clip, count, grouped } from '../../core/text.ts';
import type { AgentList } from '../../operations/agent-list.ts';
import type { AgentSearch } from '../../operations/agent-search.ts';
import type { LoadedSkill } from '../../operations/load-skill.ts';
import type { SkillFileOutput } from '../../operations/skill-file.ts';
import { bytesOf, escapeMarkup, inMarkup, onOneLine } from './markup.ts';

export function renderLoadedSkill(data: LoadedSkill, fileTool: string | undefined): string {
  const header = [
    `Loading: ${onOneLine(data.name)}`,
    `Base directory: ${onOneLine(data.baseDirectory)}`,
    '',
    `name: ${onOneLine(data.fullName)}`,
    `path: ${onOneLine(data.path)}`,
    `location: ${data.location}`,
    `provider: ${onOneLine(data.provider)}`,
    ...(data.plugin === undefined ? [] : [`plugin: ${onOneLine(data.plugin)}`]),
    '',
    '',
  ].join('\n');
  if (data.nextOffset === undefined) return header + data.content;
  const rest =
    fileTool === undefined
      ? `The rest is in ${onOneLine(data.path)}.`
      : `Continue with ${fileTool}: name "${onOneLine(data.fullName)}", path "${path.basename(data.path)}", offset ${data.nextOffset}.`;
  return `${header}${data.content}\n\n[Cut after ${data.nextOffset} of ${data.totalCharacters} characters. ${rest}]`;
}

/** Enough to choose a skill; loading it returns the whole text. */
const DESCRIPTION_CHARACTERS = 200;
/** Leaves space in the reply for the text around a list. */
const LIST_BYTES = LIMITS.replyCharacters.value - 1_000;

export interface NameAndDescription {
  name: string;
  description: string;
}

/** `- name: description` lines within a budget in bytes (0: unlimited), then the number of skills left out. */
export function renderNameList(
  skills: readonly NameAndDescription[],
  budget: number,
  searchTool: string | undefined,
): string {
  if (skills.length === 0) return '- none';
  const lines = skills.map(({ name, description }) => {
    const text = inMarkup(description);
    return `- ${inMarkup(name)}: ${budget === 0 ? text : clip(text, DESCRIPTION_CHARACTERS)}`;
  });
  return linesWithin(lines, budget, searchTool === undefined ? '' : `; use ${searchTool} to find them`).join('\n');
}

/** The lines that fit the budget in bytes (0: unlimited), then the number of lines left out. */
function linesWithin(lines: readonly string[], budget: number, howToFind: string): string[] {
  let bytesLeft = budget === 0 ? Number.POSITIVE_INFINITY : budget;
  const kept: string[] = [];
  for (const line of lines) {
    bytesLeft -= bytesOf(line) + 1;
    if (bytesLeft < 0) break;
    kept.push(line);
  }
  const leftOut = lines.length - kept.length;
  return leftOut === 0 ? kept : [...kept, `… and ${grouped(leftOut)} more${howToFind}.`];
}

export function renderSkillNotFound(error: ExplainedError, available: string): string {
  const suggestions = (error.suggestions ?? []).map(inMarkup);
  return [
    escapeMarkup(error.message),
    ...(suggestions.length === 0 ? [] : [`Did you mean: ${suggestions.join(', ')}?`]),
    `Available skills:\n${available}`,
    'Use the exact skill name (case-insensitive) to load a skill.',
  ].join('\n\n');
}

export function renderError(error: ExplainedError): string {
  return [escapeMarkup(error.message), ...(error.hint === undefined ? [] : [escapeMarkup(error.hint)])].join('\n\n');
}

export function renderSkillsList(data: AgentList, query: string | undefined): string {
  const what = query === undefined || query === '' ? '' : ` matching "${clip(inMarkup(query), 200)}"`;
  const head = `${count(data.skills.length, 'skill')}${what}.${
    data.bodiesLeftOut === undefined
      ? ''
      : ` ${count(data.bodiesLeftOut, 'body', 'bodies')} did not fit; load those skills individually.`
  }`;
  return data.skills.length === 0 ? head : `${head}\n${renderNameList(data.skills, LIST_BYTES, undefined)}`;
}

export function renderSkillsSearch(data: AgentSearch): string {
  const shown = data.results.length < data.total ? `, of which the first ${data.results.length} are below` : '';
  const head = `${count(data.total, 'match', 'matches')} for "${clip(inMarkup(data.query), 200)}" (${data.mode} search)${shown}.${
    data.reason === undefined ? '' : ` ${inMarkup(data.reason)}`
  }`;
  const hits = data.results.map(
    ({ name, description, excerpt }) =>
      `- ${inMarkup(name)}: ${clip(inMarkup(description), DESCRIPTION_CHARACTERS)}\n  ${inMarkup(excerpt)}`,
  );
  return [head, ...hits].join('\n');
}

export function renderSkillFile(data: SkillFileOutput): string {
  if (data.files) {
    const files = data.files.map(
      ({ path: place, size, sha256 }) =>
        `- ${onOneLine(place)} (${size} bytes${sha256 === undefined ? '' : `, sha256 ${sha256}`})`,
    );
    const skipped = (data.skipped ?? []).map(
      ({ path: place, reason }) => `- ${onOneLine(place)} is not served: ${reason}`,
    );
    const more = data.filesLeftOut ? ['… and more files than are listed.'] : [];
    const lines = linesWithin([...files, ...skipped], LIST_BYTES, '; the structured result has them all');
    return [`${count(data.files.length, 'file')} of ${onOneLine(data.fullName)}:`, ...lines, ...more].join('\n');
  }
  const next =
    data.nextOffset === undefined
      ? ''
      : `\n\n[Cut after ${data.nextOffset} of ${data.total} ${data.unit}; continue with offset ${data.nextOffset}.]`;
  if (data.text !== undefined) return data.text + next;
  return `${onOneLine(data.path ?? '')} is not text: ${data.size} bytes of ${data.mimeType}, attached.${next.trimStart()}`;
}
