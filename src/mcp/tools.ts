/** The tools: every operation of the registry that declares a toolset, some with extras. */
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
import type { ServedWorkspace } from './served-workspace.ts';
import { serveOperation, type ServedTool } from './tool.ts';

const WITH_EXTRAS: readonly ServedTool[] = [
  serveOperation(loadSkill, 'skill', {
    describesSkills: true,
    render: (data, served) => renderLoadedSkill(data, served.fileTool),
    // Some agents send the parameter of their own built-in skill tool.
    accept: (args) =>
      isRecord(args) && Object.keys(args).length === 1 && Object.hasOwn(args, 'command')
        ? { name: args['command'] }
        : args,
    explainFailure: explainMissingSkill,
    // Claude Code hides tool descriptions until it searches for tools, but this description is the list of skills.
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

/** In the order of the registry. */
export function toolsOf(operations: readonly AnyOperation[]): ServedTool[] {
  return operations.flatMap((operation) => {
    if (operation.tool === undefined) return [];
    return [WITH_EXTRAS.find(({ name }) => name === operation.name) ?? serveOperation(operation, operation.tool)];
  });
}

const TOOLS: readonly ServedTool[] = toolsOf(OPERATIONS);

export function offeredTools(served: ServedWorkspace): ServedTool[] {
  return TOOLS.filter(({ toolset }) => served.has(toolset));
}

async function explainMissingSkill(
  error: ExplainedError,
  served: ServedWorkspace,
  client: string | undefined,
): Promise<string> {
  // A missing bundled file has a hint of its own.
  if (error.code !== 'NOT_FOUND' || !error.message.endsWith('not found.')) return renderError(error);
  const skills = await served.skillsForModels();
  const list = skills.map(({ name, skill }) => ({ name, description: skill.description }));
  return renderSkillNotFound(error, renderNameList(list, served.budgetFor(client), served.searchTool));
}

function blobOf({ blob, path = '', fullName, mimeType }: SkillFileOutput): ContentBlock[] {
  if (blob === undefined) return [];
  const uri = `lectern-file:///${[fullName, ...path.split('/')].map(encodeURIComponent).join('/')}`;
  return [{ type: 'resource', resource: { uri, blob, ...(mimeType === undefined ? {} : { mimeType }) } }];
}
