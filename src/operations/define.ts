/** Everything one can ask for is an operation, written once: the CLI, the MCP server and the page only carry it. */
import type * as z from 'zod';
import type { Workspace } from '../workspace/workspace.ts';

export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  summary: string;
  input: Input;
  output: Output;
  /** Whether it leaves every file as it is. */
  readOnly: boolean;
  run(input: z.output<Input>, workspace: Workspace): Promise<z.input<Output>>;
}

export function defineOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}
