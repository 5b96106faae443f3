/** All commands: operations with a command, and a few that are not operations. */
import { context as contextOperation } from '../operations/context.ts';
import { type AnyOperation, GROUPS } from '../operations/define.ts';
import { OPERATIONS } from '../operations/index.ts';
import type { Command, CommandContext, RunCommand } from './command.ts';
import { completionCommand, completionInstallCommand } from './commands/completion.ts';
import { indexCommand } from './commands/build-index.ts';
import { SERVER_COMMANDS, webCommand } from './commands/mcp.ts';
import { serveCommand } from './commands/serve.ts';
import { runOperation } from './run-operation.ts';

/** Operations whose commands need more than their parameters. */
const CUSTOM_RUNS: Readonly<Record<string, RunCommand>> = {
  context: async (context) =>
    context.given['askServers'] === true
      ? (await import('./commands/context.ts')).runContext(context)
      : runOperation(contextOperation, context),
  install_skills: async (context) => (await import('./commands/install.ts')).runInstall(context),
  setup_client: async (context) => (await import('./commands/setup.ts')).runSetup(context),
  validate_skills: async (context) => (await import('./commands/validate.ts')).runValidate(context),
};

/** Returns the commands of a registry, in the order of the help. */
export function commandsOf(operations: readonly AnyOperation[]): Command[] {
  const derived = operations.flatMap((operation): Command[] => {
    const { command, summary, params, settings = [], writes, name } = operation;
    if (!command) return [];
    const run =
      CUSTOM_RUNS[name] ??
      (operation.interactive
        ? async (context: CommandContext) =>
            (await import('./commands/interactive.ts')).runInteractive(operation, context)
        : (context: CommandContext) => runOperation(operation, context));
    return [{ ...command, summary, params, settings, writes: writes !== undefined, run }];
  });
  const all = [
    ...derived,
    indexCommand,
    webCommand,
    ...SERVER_COMMANDS,
    serveCommand,
    completionCommand,
    completionInstallCommand,
  ];
  return GROUPS.flatMap((group) => all.filter((command) => command.group === group));
}

export const COMMANDS: readonly Command[] = commandsOf(OPERATIONS);
