/** The tools for specs and changes. Their answers are data, so the text of each is the data itself. */
import type * as z from 'zod';
import type { Operation } from '../operations/define.ts';
import { getChange } from '../operations/get-change.ts';
import { getScenario } from '../operations/get-scenario.ts';
import { getSpecRequirements } from '../operations/get-spec-requirements.ts';
import { listChanges } from '../operations/list-changes.ts';
import { listSpecs } from '../operations/list-specs.ts';
import { rebuildIndex } from '../operations/rebuild-index.ts';
import { searchSpecs } from '../operations/search-specs.ts';
import { validateChange, validateSpec } from '../operations/validate-specs.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { serveOperation, type ServedTool } from './tool.ts';

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
    renderFailure: async (_error, _catalog, structured) => JSON.stringify(structured),
  });
}
