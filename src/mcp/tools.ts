/** Every tool of the server, by toolset. A new ability is an operation and one entry here. */
import type { ContentBlock } from '@modelcontextprotocol/server';
import type { ExplainedError } from '../core/failure.ts';
import { isRecord } from '../core/json-file.ts';
import { loadSkill } from '../operations/load-skill.ts';
import { skillFile, type SkillFileOutput } from '../operations/skill-file.ts';
import { skillsList } from '../operations/skills-list.ts';
import { skillsSearch } from '../operations/skills-search.ts';
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
import type { ToolEntry } from './tool-table.ts';

const skillTool = serveOperation({
  toolset: 'skill',
  operation: loadSkill,
  describesCatalog: true,
  render: (data, catalog) => renderLoadedSkill(data, catalog.fileTool),
  // Some agents know the parameter of their own skill tool and send that.
  accept: (args) =>
    isRecord(args) && Object.keys(args).length === 1 && Object.hasOwn(args, 'command')
      ? { name: args['command'] }
      : args,
  renderFailure: explainMissingSkill,
  // One agent hides the descriptions of tools until it has searched for them; this one is its own table of contents.
  meta: { 'anthropic/alwaysLoad': true },
  factsAside: ({ content: _text, ...facts }) => facts,
});

const skillsListTool = serveOperation({
  toolset: 'skills',
  dotted: 'skills.list',
  operation: skillsList,
  render: (data, _catalog, { query }) => renderSkillsList(data, query),
});

const skillsSearchTool = serveOperation({
  toolset: 'skills',
  dotted: 'skills.search',
  operation: skillsSearch,
  render: (data) => renderSkillsSearch(data),
});

const skillFileTool = serveOperation({
  toolset: 'skills',
  dotted: 'skill.file',
  operation: skillFile,
  render: (data) => renderSkillFile(data),
  attach: blobOf,
  renderFailure: explainMissingSkill,
});

const SKILL_TOOLS: readonly ServedTool[] = [skillTool, skillsListTool, skillsSearchTool, skillFileTool];

/** The tools that are offered, always in the same order. Those for specs are loaded only where they are wanted. */
export async function toolsOf(catalog: Catalog): Promise<ServedTool[]> {
  const ofSpecs = catalog.has('specs') ? (await import('./spec-tools.ts')).SPEC_TOOLS : [];
  return [...SKILL_TOOLS.filter(({ toolset }) => catalog.has(toolset)), ...ofSpecs];
}

/** Every tool as it is listed. */
export async function describeTools(): Promise<ToolEntry[]> {
  const { SPEC_TOOLS } = await import('./spec-tools.ts');
  return [...SKILL_TOOLS, ...SPEC_TOOLS].map((tool) => tool.entry());
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
