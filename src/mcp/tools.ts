/** Tools: every operation of the registry that declares a toolset, some with extras. */
import type { ContentBlock } from '@modelcontextprotocol/server';
import type { Failure } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { agentList } from '../operations/agent-list.ts';
import { agentSearch } from '../operations/agent-search.ts';
import type { AnyOperation } from '../operations/define.ts';
import { OPERATIONS } from '../operations/index.ts';
import { loadSkill } from '../operations/load-skill.ts';
import { searchSpecs } from '../operations/search-specs.ts';
import { skillFile, type SkillFileOutput } from '../operations/skill-file.ts';
import { validateChange, validateSpec } from '../operations/validate-specs.ts';
import {
  renderLoadedSkill,
  renderNameList,
  renderSkillFile,
  renderSkillNotFound,
  renderSkillsList,
  renderSkillsSearch,
} from '../render/agents/replies.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import { serveOperation, type ServedTool } from './tool.ts';

/** Edited files are on another machine and are not checked before they are published. */
const JUDGES_PUBLISHED = 'It validates published versions, not files that you edit.';

const WITH_EXTRAS: readonly ServedTool[] = [
  serveOperation(loadSkill, 'skill', {
    describesSkills: true,
    render: (data, served) => renderLoadedSkill(data, served.fileTool),
    // Some agents send the parameter of their built-in skill tool.
    accept: (args) =>
      isRecord(args) && Object.keys(args).length === 1 && Object.hasOwn(args, 'command')
        ? { name: args['command'] }
        : args,
    explainFailure: explainMissingSkill,
    // Claude Code hides tool descriptions until it searches for tools, but this description is the list of skills.
    meta: { 'anthropic/alwaysLoad': true },
    factsOf: ({ content: _text, ...facts }) => facts,
    done: ({ baseDirectory }, served) => served.loads?.count(baseDirectory),
  }),
  serveOperation(agentList, 'skills', {
    render: (data, served, { query }) =>
      renderSkillsList(data, typeof query === 'string' ? query : undefined, served.listedName('skills_list')),
  }),
  serveOperation(agentSearch, 'skills', {
    render: (data) => renderSkillsSearch(data),
    defaults: ({ searchMode = 'auto' }) => ({ mode: searchMode }),
  }),
  serveOperation(skillFile, 'skills', {
    render: (data) => renderSkillFile(data),
    attach: blobOf,
    explainFailure: explainMissingSkill,
    factsOf: ({ text: _text, blob: _blob, ...facts }) => facts,
  }),
  serveOperation(searchSpecs, 'specs', {
    // Other spec servers use this parameter name.
    accept: (args) => {
      if (!isRecord(args) || Object.hasOwn(args, 'limit') || !Object.hasOwn(args, 'top_k')) return args;
      const { top_k: limit, ...rest } = args;
      return { ...rest, limit };
    },
  }),
  serveOperation(validateSpec, 'specs', { sharedDetails: JUDGES_PUBLISHED }),
  serveOperation(validateChange, 'specs', { sharedDetails: JUDGES_PUBLISHED }),
];

/** Returns the tools in the order of the registry. */
export function toolsOf(operations: readonly AnyOperation[]): ServedTool[] {
  return operations.flatMap((operation) => {
    if (operation.tool === undefined) return [];
    return [WITH_EXTRAS.find(({ name }) => name === operation.name) ?? serveOperation(operation, operation.tool)];
  });
}

const TOOLS: readonly ServedTool[] = toolsOf(OPERATIONS);

export function offeredTools(served: ServedWorkspace): ServedTool[] {
  return TOOLS.filter(({ toolset, writes }) => served.has(toolset) && !(writes && served.settings.isShared === true));
}

/** Explains that a skill was not found. The reply lists all skills, with descriptions if there is room. */
async function explainMissingSkill(
  failure: Failure,
  served: ServedWorkspace,
  client: string | undefined,
): Promise<string | undefined> {
  if (failure.available?.noun !== 'skills') return undefined;
  const budget = served.budgetFor(client);
  const { first, total } = await served.skillsForModels(budget);
  const list = first.map(({ name, skill }) => ({ name, description: skill.description }));
  return renderSkillNotFound(failure, renderNameList(list, budget, served.searchTool, total));
}

/** Returns a binary file: an image as an image block, anything else as a resource. */
function blobOf({ blob, path = '', fullName, mimeType, offset, nextOffset }: SkillFileOutput): ContentBlock[] {
  if (blob === undefined) return [];
  const isWhole = offset === 0 && nextOffset === undefined;
  if (isWhole && mimeType?.startsWith('image/')) return [{ type: 'image', data: blob, mimeType }];
  const uri = `lectern-file:///${[fullName, ...path.split('/')].map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
  return [{ type: 'resource', resource: { uri, blob, ...(mimeType === undefined ? {} : { mimeType }) } }];
}
