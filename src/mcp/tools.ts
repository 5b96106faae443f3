/** Every operation that is a tool, and what is special about some of them. */
import type { ContentBlock } from '@modelcontextprotocol/server';
import type { ExplainedError } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { agentList } from '../operations/agent-list.ts';
import { agentSearch } from '../operations/agent-search.ts';
import type { AnyOperation } from '../operations/define.ts';
import { OPERATIONS } from '../operations/index.ts';
import { loadSkill } from '../operations/load-skill.ts';
import { skillFile, type SkillFileOutput } from '../operations/skill-file.ts';
import {
  renderError,
  renderLoadedSkill,
  renderNameList,
  renderSkillFile,
  renderSkillNotFound,
  renderSkillsList,
  renderSkillsSearch,
} from '../render/agents/replies.ts';
import type { Catalog } from './catalog.ts';
import { serveOperation, type ServedTool } from './tool.ts';

/** Tools whose texts, attachments or failures are their own. */
const SPECIAL: readonly ServedTool[] = [
  serveOperation(loadSkill, 'skill', {
    describesSkills: true,
    render: (data, catalog) => renderLoadedSkill(data, catalog.fileTool),
    // Some agents know the parameter of their own skill tool and send that.
    accept: (args) =>
      isRecord(args) && Object.keys(args).length === 1 && Object.hasOwn(args, 'command')
        ? { name: args['command'] }
        : args,
    explainFailure: explainMissingSkill,
    // One agent hides the descriptions of tools until it has searched for them; this one is its own table of contents.
    meta: { 'anthropic/alwaysLoad': true },
    factsOf: ({ content: _text, ...facts }) => facts,
  }),
  serveOperation(agentList, 'skills', { render: (data, _catalog, { query }) => renderSkillsList(data, query) }),
  serveOperation(agentSearch, 'skills', { render: (data) => renderSkillsSearch(data) }),
  serveOperation(skillFile, 'skills', {
    render: (data) => renderSkillFile(data),
    attach: blobOf,
    explainFailure: explainMissingSkill,
  }),
];

/** The tools of a registry, always in the same order. */
export function toolsOf(operations: readonly AnyOperation[]): ServedTool[] {
  return operations.flatMap((operation) => {
    if (operation.tool === undefined) return [];
    return [SPECIAL.find(({ name }) => name === operation.name) ?? serveOperation(operation, operation.tool)];
  });
}

const TOOLS: readonly ServedTool[] = toolsOf(OPERATIONS);

/** The tools that a server offers. */
export function offeredTools(catalog: Catalog): ServedTool[] {
  return TOOLS.filter(({ toolset }) => catalog.has(toolset));
}

async function explainMissingSkill(error: ExplainedError, catalog: Catalog): Promise<string> {
  // A file that is missing is explained by its own hint.
  if (error.code !== 'NOT_FOUND' || !error.message.endsWith('not found.')) return renderError(error);
  const { descriptionBudget } = catalog.serving;
  const skills = await catalog.skillsForModels();
  const list = skills.map(({ name, skill }) => ({ name, description: skill.description }));
  return renderSkillNotFound(error, renderNameList(list, descriptionBudget, catalog.searchTool));
}

function blobOf({ blob, path = '', fullName, mimeType }: SkillFileOutput): ContentBlock[] {
  if (blob === undefined) return [];
  const uri = `lectern-file:///${[fullName, ...path.split('/')].map(encodeURIComponent).join('/')}`;
  return [{ type: 'resource', resource: { uri, blob, ...(mimeType === undefined ? {} : { mimeType }) } }];
}
