/** Text replies of the tools. They are plain text, so nothing is escaped as markup. */
import path from 'node:path';
import { explain, Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { clip, count, grouped, oneLine } from '../../core/text.ts';
import type { AgentList } from '../../operations/agent-list.ts';
import type { AgentSearch } from '../../operations/agent-search.ts';
import type { LoadedSkill } from '../../operations/load-skill.ts';
import type { SkillFileOutput } from '../../operations/skill-file.ts';
import { onOneLine } from './markup.ts';
import { LOCATION_WORDS } from './skill-description.ts';

export function renderLoadedSkill(data: LoadedSkill, fileTool: string | undefined): string {
  const header = [
    `Loading: ${onOneLine(data.name)}`,
    `Base directory: ${onOneLine(data.baseDirectory)}`,
    '',
    `name: ${onOneLine(data.fullName)}`,
    `path: ${onOneLine(data.path)}`,
    `location: ${LOCATION_WORDS[data.location]}`,
    `provider: ${onOneLine(data.provider)}`,
    ...(data.plugin === undefined ? [] : [`plugin: ${onOneLine(data.plugin)}`]),
    ...(data.source === undefined ? [] : [`source: ${onOneLine(data.source)} (${elsewhere(fileTool)})`]),
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

/** Without this note, a model would look for the base directory on its own machine and give up. */
function elsewhere(fileTool: string | undefined): string {
  return `shared; its files are not on this machine${fileTool === undefined ? '' : `, ${fileTool} reads them`}`;
}

/** Enough to choose a skill. Loading it returns the full text. */
const DESCRIPTION_CHARACTERS = 200;
/** Leaves room in the reply for the text around a list. */
const LIST_CHARACTERS = LIMITS.replyCharacters.value - 1_000;

export interface NameAndDescription {
  name: string;
  description: string;
}

/**
 * Returns `- name: description` lines within a budget in characters (0: as many as fit into a reply), then the number
 * of omitted skills.
 */
export function renderNameList(
  skills: readonly NameAndDescription[],
  budget: number,
  searchTool: string | undefined,
  /** Total number of skills, if the list has only the first ones. */
  total = skills.length,
): string {
  if (skills.length === 0) return '- none';
  const lines = skills.map(({ name, description }) => nameLine({ name, meta: { description } }));
  const how = searchTool === undefined ? '' : `; use ${searchTool} to find them`;
  return linesWithin(lines, budget === 0 ? LIST_CHARACTERS : budget, how, total).join('\n');
}

function nameLine({ name, meta: { description } }: { name: string; meta: { description: string } }): string {
  return `- ${oneLine(name)}: ${clip(oneLine(description), DESCRIPTION_CHARACTERS)}`;
}

/** Returns the lines that fit the budget in characters, then the number of omitted lines. */
function linesWithin(
  lines: readonly string[],
  budget: number,
  howToFind: string,
  total: number = lines.length,
): string[] {
  const kept = leadingWithin(lines, budget);
  const leftOut = total - kept.length;
  return leftOut === 0 ? kept : [...kept, `… and ${grouped(leftOut)} more${howToFind}.`];
}

function leadingWithin(lines: readonly string[], budget: number): string[] {
  let left = budget;
  const end = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return end === -1 ? [...lines] : lines.slice(0, end);
}

export function renderSkillNotFound(failure: Failure, available: string): string {
  const { message, hint, suggestions = [] } = explain(failure, 'model');
  return [
    message,
    ...(suggestions.length > 0 ? [`Did you mean: ${suggestions.map(oneLine).join(', ')}?`] : []),
    // A skipped file comes with a fix, all others with suggestions.
    ...(hint === undefined || hint.startsWith('Did you mean') ? [] : [hint]),
    `Available skills:\n${available}`,
    'Use the exact skill name (case-insensitive) to load a skill.',
  ].join('\n\n');
}

/** Renders a failed call as plain text: the problem, the next step, and available alternatives. */
export function renderFailure(error: unknown, budget: number): string {
  const { message, hint } = explain(error, 'model');
  const available = error instanceof Failure ? error.available : undefined;
  const lines = (available?.names() ?? []).map((name) => `- ${oneLine(name)}`);
  const list = lines.length === 0 ? [] : linesWithin(lines, budget === 0 ? LIST_CHARACTERS : budget, '');
  return [
    message,
    ...(hint === undefined ? [] : [hint]),
    ...(list.length === 0 ? [] : [`Available ${available?.noun}:\n${list.join('\n')}`]),
  ].join('\n\n');
}

export function renderSkillsList(data: AgentList, query: string | undefined, listTool: string): string {
  const what = query === undefined || query === '' ? '' : ` matching "${clip(oneLine(query), 200)}"`;
  const lines = data.skills.map(nameLine);
  const listed = leadingWithin(lines, LIST_CHARACTERS);
  const isPart = data.skills.length < data.total;
  const shown =
    listed.length < data.skills.length
      ? `, of which ${are(data.skills.length)} in the structured content, the first ${grouped(listed.length)} also below`
      : isPart
        ? `, of which ${are(data.skills.length)} below`
        : '';
  const next =
    data.nextCursor === undefined ? '' : ` Call ${listTool} with cursor "${data.nextCursor}" for the next ones.`;
  const withBody = data.skills.filter(({ body }) => body !== undefined).length;
  const bodies = withBody === 0 ? '' : ` ${count(withBody, 'body', 'bodies')} in the structured content.`;
  const leftOut =
    data.bodiesLeftOut === undefined
      ? ''
      : ` ${count(data.bodiesLeftOut, 'body', 'bodies')} did not fit; load those skills individually.`;
  const head = `${count(data.total, 'skill')}${what}${shown}.${next}${bodies}${leftOut}`;
  return [head, ...listed].join('\n');
}

function are(number: number): string {
  return `${grouped(number)} ${number === 1 ? 'is' : 'are'}`;
}

export function renderSkillsSearch(data: AgentSearch): string {
  const { query, mode, total, results, nearest = [], confidence, reason } = data;
  const found =
    results.length < total
      ? `The ${grouped(results.length)} best of ${count(total, 'match', 'matches')}`
      : count(total, 'match', 'matches');
  const names = nearest.map(({ name }) => oneLine(name)).join(', ');
  const head = [
    `${found} for "${clip(oneLine(query), 200)}" (${mode} search).`,
    ...(names === '' ? [] : [`No skill has all these words. Nearest by meaning: ${names}.`]),
    ...(confidence === undefined ? [] : ['Low confidence: these may not answer the question.']),
    ...(reason === undefined ? [] : [`${oneLine(reason)}.`]),
  ].join(' ');
  const hits = results.map((hit) => `${nameLine(hit)}${hit.excerpt === '' ? '' : `\n  ${oneLine(hit.excerpt)}`}`);
  const near = nearest.map(({ name, description }) => nameLine({ name, meta: { description } }));
  return [head, ...hits, ...near].join('\n');
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
    const list = [`${count(data.total ?? 0, 'file')} of ${onOneLine(data.fullName)}:`, ...files, ...skipped, ...more];
    return list.join('\n') + nextPage(data);
  }
  const next = nextPage(data);
  if (data.text !== undefined) return data.text + next;
  return `${onOneLine(data.path ?? '')} is not text: ${data.size} bytes of ${data.mimeType}, attached.${next.trimStart()}`;
}

function nextPage({ nextOffset, total, unit }: SkillFileOutput): string {
  if (nextOffset === undefined) return '';
  return `\n\n[Cut after ${nextOffset} of ${total} ${unit}; continue with offset ${nextOffset}.]`;
}
