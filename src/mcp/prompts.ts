/** Serves skills as prompts, which clients show to users in menus and as slash commands. */
import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from '@modelcontextprotocol/server';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText, echo } from '../core/text.ts';
import { isForPeople, type ListedSkill } from '../workspace/agent-listing.ts';
import { findAndRead, loadedSkill } from '../operations/load-skill.ts';
import { renderLoadedSkill } from '../render/agents/replies.ts';
import { memoOfLists } from '../workspace/memo-of-lists.ts';
import type { Snapshot } from '../workspace/workspace.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { pageAfter } from './paging.ts';
import type { Connection } from './connection.ts';

const PAGE_SIZE = 200;
/** One prompt for all skills, for clients whose menus are too short for a prompt per skill. */
const ANY_SKILL: Prompt = {
  name: 'skill',
  title: 'Use a skill',
  description: 'Loads a skill by name.',
  arguments: [
    { name: 'name', description: 'Name of the skill', required: true },
    { name: 'arguments', description: 'What to do with it', required: false },
  ],
};

export function addPrompts({ mcp }: Connection, served: ServedWorkspace): void {
  mcp.server.registerCapabilities({ prompts: { listChanged: served.announcesChanges } });
  mcp.server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, ...next } = pageAfter(
      await listedPrompts(served),
      params?.cursor,
      PAGE_SIZE,
      ({ name }) => name,
      promptOf,
    );
    return { prompts: items, ...next };
  });
  mcp.server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}, served));
}

async function listedPrompts(served: ServedWorkspace): Promise<readonly (ListedSkill | Prompt)[]> {
  const kept = await served.provisional('prompts');
  if (!kept) return promptNames(await served.snapshot());
  const ofSkills = kept.flatMap(({ prompt, title, description }) =>
    prompt ? [skillPrompt({ ...prompt, title, description })] : [],
  );
  return withAnySkill(ofSkills);
}

export async function completePromptArgument(
  served: ServedWorkspace,
  prompt: string,
  argument: string,
): Promise<string[]> {
  if (prompt !== ANY_SKILL.name || argument !== 'name') return [];
  return skillsForPeople(await served.snapshot()).map(({ name }) => name);
}

function skillsForPeople({ forAgents }: Snapshot): ListedSkill[] {
  return forAgents.filter(({ skill }) => isForPeople(skill));
}

/** Skills that have a prompt, sorted by name. */
const promptNames = memoOfLists((snapshot: Snapshot): readonly (ListedSkill | Prompt)[] =>
  withAnySkill(skillsForPeople(snapshot)),
);

function withAnySkill<T extends { name: string }>(prompts: readonly T[]): readonly (T | Prompt)[] {
  const hasAny = prompts.some(({ name }) => name === ANY_SKILL.name);
  return [...prompts, ...(hasAny ? [] : [ANY_SKILL])].sort((a, b) => compareText(a.name, b.name));
}

function promptOf(item: ListedSkill | Prompt): Prompt {
  if (!('skill' in item)) return item;
  const { name, skill } = item;
  const hint = skill.frontmatter['argument-hint'];
  const { name: title, description } = skill;
  return skillPrompt({ name, title, description, hint: typeof hint === 'string' ? hint : undefined });
}

function skillPrompt({
  hint = 'What to do with it',
  ...prompt
}: {
  name: string;
  title: string;
  description: string;
  hint?: string | undefined;
}): Prompt {
  const { name, title, description } = prompt;
  return { name, title, description, arguments: [{ name: 'arguments', description: hint, required: false }] };
}

async function getPrompt(
  asked: string,
  args: Readonly<Record<string, string>>,
  served: ServedWorkspace,
): Promise<GetPromptResult> {
  const skills = skillsForPeople(await served.snapshot());
  const isSkill = skills.some(({ name }) => name === asked);
  const name = !isSkill && asked === ANY_SKILL.name ? args['name'] : asked;
  if (name === undefined || name === '')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The argument "name" is required.');
  const found = await findAndRead(name, await served.workspace(), 'person');
  if (!isForPeople(found.skill)) throw new Failure('NOT_FOUND', `There is no prompt '${echo(asked)}'.`);
  served.loads?.count(found.skill.dir);
  const text = withArguments(renderLoadedSkill(loadedSkill(found), served.fileTool), args['arguments']);
  return { description: found.skill.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

const PLACEHOLDER = '$ARGUMENTS';

/**
 * Inserts the user's text like agents do: it replaces $ARGUMENTS, or is appended if the skill does not contain it. It is also
 * appended if replacing every occurrence would make the reply too long.
 */
function withArguments(text: string, words: string | undefined): string {
  if (words === undefined || words === '') return text;
  const places = text.split(PLACEHOLDER).length - 1;
  const fits = places > 0 && text.length + places * words.length <= LIMITS.requestCharacters.value;
  return fits ? text.replaceAll(PLACEHOLDER, () => words) : `${text}\n\nARGUMENTS: ${words}`;
}
