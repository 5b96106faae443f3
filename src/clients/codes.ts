/** Problems that may keep an MCP client from reaching Lectern. Every export is a rule. */
import { defineRule } from '../core/diagnostics.ts';

export const clientConfigUnusable = defineRule({
  code: 'client-config-unusable',
  severity: 'warning',
  title: 'Client configuration cannot be used',
  about:
    'The file cannot be read or does not have the format that the client expects. Neither the client nor `lectern setup` can use it.',
  fix: 'Correct the file, then run lectern setup for this client.',
});

export const clientEntryOutdated = defineRule({
  code: 'client-entry-outdated',
  severity: 'warning',
  title: 'Client entry for Lectern no longer works',
  about:
    'The entry starts a missing file or differs from the one `lectern setup` writes, so the client may not reach the server.',
  fix: 'Run lectern setup for this client with --write --force.',
});
