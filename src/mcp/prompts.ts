/** Skills as prompts, for the people in front of an agent: their menus and slash commands. */
import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from '@modelcontextprotocol/server';
import { explain, Failure } from '../core/failure.ts';
import { compareText, echo } from '../core/text.ts';
import { isForPeople, type ListedSkill } from '../workspace/agent-listing.ts';
import { findAndRead, loadedSkill } from '../operations/load-skill.ts';
import { renderLoadedSkill } from '../render/agents/replies.ts';
import type { Catalog } from './catalog.ts';
import { pageAfter } from './paging.ts';
import type { Connection } from './server.ts';

const PAGE_SIZE = 200;
/** One prompt for all skills, for clients whose menus would not hold them. */
const ANY_SKILL: Prompt = {
  name: 'skill',
  title: 'Use a skill',
  description: 'Loads a skill by name.',
  arguments: [
    { name: 'name', description: 'Name of the skill', required: true },
    { name: 'arguments', description: 'What to do with it', required: false },
  ],
};

export function addPrompts({ mcp }: Connection, catalog: Catalog): void {
  mcp.server.registerCapabilities({ prompts: { listChanged: catalog.announcesChanges } });
  mcp.server.setRequestHandler('prompts/list', async ({ params }) => {
    const { items, ...next } = pageAfter(await promptsOf(catalog), params?.cursor, PAGE_SIZE, ({ name }) => name);
    return { prompts: items, ...next };
  });
  mcp.server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}, catalog));
}

/** The names that may stand for the argument of a prompt. */
export async function completePromptArgument(catalog: Catalog, prompt: string, argument: string): Promise<string[]> {
  if (prompt !== ANY_SKILL.name || argument !== 'name') return [];
  return (await skillsForPeople(catalog)).map(({ name }) => name);
}

async function skillsForPeople(catalog: Catalog): Promise<ListedSkill[]> {
  return (await catalog.snapshot()).forAgents.filter(({ skill }) => isForPeople(skill));
}

async function promptsOf(catalog: Catalog): Promise<Prompt[]> {
  const prompts = (await skillsForPeople(catalog)).map(({ name, skill }): Prompt => {
    const hint = skill.frontmatter['argument-hint'];
    return {
      name,
      title: skill.name,
      description: skill.description,
      arguments: [
        { name: 'arguments', description: typeof hint === 'string' ? hint : 'What to do with it', required: false },
      ],
    };
  });
  if (!prompts.some(({ name }) => name === ANY_SKILL.name)) prompts.push(ANY_SKILL);
  return prompts.sort((a, b) => compareText(a.name, b.name));
}

async function getPrompt(
  asked: string,
  args: Readonly<Record<string, string>>,
  catalog: Catalog,
): Promise<GetPromptResult> {
  const skills = await skillsForPeople(catalog);
  const own = skills.some(({ name }) => name === asked);
  const name = !own && asked === ANY_SKILL.name ? args['name'] : asked;
  if (name === undefined || name === '')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The argument name is required');
  try {
    const found = await findAndRead(name, await catalog.workspace(), 'person');
    if (!isForPeople(found.skill)) throw new Failure('NOT_FOUND', `There is no prompt '${echo(asked)}'.`);
    const text = withArguments(renderLoadedSkill(loadedSkill(found), catalog.fileTool), args['arguments']);
    return { description: found.skill.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  } catch (error) {
    if (!(error instanceof Failure)) {
      catalog.log.bug(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, explain(error).message);
    }
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      [error.message, error.hint].filter((part) => part !== undefined).join(' '),
    );
  }
}

/** Agents put the words of the user where a skill says $ARGUMENTS, or else at its end. */
function withArguments(text: string, words: string | undefined): string {
  if (words === undefined || words === '') return text;
  return text.includes('$ARGUMENTS') ? text.replaceAll('$ARGUMENTS', () => words) : `${text}\n\nARGUMENTS: ${words}`;
}
