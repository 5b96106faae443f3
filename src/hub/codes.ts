/** Rules that are checked before publishing. Every export is a rule. */
import { defineRule } from '../core/diagnostics.ts';

export const secretsFilePublished = defineRule({
  code: 'secrets-file-published',
  severity: 'warning',
  title: 'Secrets file published',
  about:
    'Files such as `.env` usually contain passwords and keys. `lectern publish` publishes every file of a skill. All readers of the source can read them, and earlier versions keep them.',
  fix: 'Move the file out of the folder, or publish an example without values, such as .env.example.',
});
