/** The tools for specs and changes. Their answers are data, so the text of each is the data itself. */
import type * as z from 'zod';
import type { Operation } from '../operations/define.js';
import { getChange } from '../operations/get-change.js';
import { getScenario } from '../operations/get-scenario.js';
import { getSpecRequirements } from '../operations/get-spec-requirements.js';
import { listChanges } from '../operations/list-changes.js';
import { listSpecs } from '../operations/list-specs.js';
import { rebuildIndex } from '../operations/rebuild-index.js';
import { searchSpecs } from '../operations/search-specs.js';
import { validateChange, validateSpec } from '../operations/validate-specs.js';
import type { Workspace } from '../workspace/workspace.js';
import { serveOperation, type ServedTool } from './tool.js';

export const SPEC_TOOLS: readonly ServedTool[] = [
  specTool(listSpecs),
  specTool(getSpecRequirements),
  specTool(getScenario),
  specTool(searchSpecs),
  specTool(listChanges),
  specTool(getChange),
  specTool(validateSpec),
  specTool(validateChange),
  // The index holds the skills as well.
  specTool(rebuildIndex, (workspace) => workspace.fresh()),
];

function specTool<Input extends z.ZodType, Output extends z.ZodObject>(
  operation: Operation<Input, Output>,
  refresh: (workspace: Workspace) => Promise<unknown> = (workspace) => workspace.freshSpecs(),
): ServedTool {
  return serveOperation({
    toolset: 'specs',
    dotted: operation.name.replaceAll('_', '.'),
    operation,
    refresh,
    render: (data) => JSON.stringify(data),
    renderFailure: async (_error, _catalogue, structured) => JSON.stringify(structured),
  });
}
