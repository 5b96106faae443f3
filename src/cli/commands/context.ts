/** `lectern context --ask-servers`: the operation, with the function that starts or calls MCP servers. */
import { context as contextOperation } from '../../operations/context.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { runInteractive } from './interactive.ts';

export async function runContext(context: CommandContext): Promise<Outcome> {
  const { progress, edge } = context;
  return runInteractive(contextOperation, context, {
    environment: edge.environment,
    async askServer(start, { timeoutMs, environment = {}, signal }) {
      const { askServer } = await import('../../mcp/ask-server.ts');
      progress?.((style) => style.dim('asking MCP servers …'));
      return askServer(start, { timeoutMs, environment, signal });
    },
  });
}
