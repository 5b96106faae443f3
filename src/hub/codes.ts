/** What is worth a second look before everyone can read it. Every export is a rule. */
import { defineRule } from '../core/diagnostics.ts';

export const secretsFilePublished = defineRule({
  code: 'secrets-file-published',
  severity: 'warning',
  title: 'A file for secrets is published',
  about:
    'Files such as `.env` usually have passwords and keys in them. `lectern publish` publishes every file of a skill, everyone who may read the source can read them, and earlier versions keep them.',
  fix: 'Move it out of the folder, or put an example without values there, such as .env.example.',
});
