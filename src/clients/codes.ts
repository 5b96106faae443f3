/** Why the configuration of an MCP client may not reach Lectern. Every export is a rule. */
import { defineRule } from '../core/diagnostics.ts';

export const clientConfigUnusable = defineRule({
  code: 'client-config-unusable',
  severity: 'warning',
  title: 'The configuration of a client cannot be used',
  about:
    'It cannot be read, or it does not have the form that the client expects. Neither the client nor `lectern setup` can use it.',
  fix: 'Correct the file, then run lectern setup for this client.',
});

export const clientEntryOutdated = defineRule({
  code: 'client-entry-outdated',
  severity: 'warning',
  title: 'A client starts Lectern in a way that no longer works',
  about:
    'The entry starts a file that is gone, or differs from what `lectern setup` writes, so the client may not reach the server.',
  fix: 'Run lectern setup for this client with --write --force.',
});
