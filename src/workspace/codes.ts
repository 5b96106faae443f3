/** Problems of Lectern's own configuration files. The command continues without the value. Every export is a rule. */
import { defineRule } from '../core/diagnostics.ts';

export const configUnreadable = defineRule({
  code: 'config-unreadable',
  severity: 'warning',
  title: 'A configuration file cannot be read',
  about: 'The file, or a folder above it, is not readable. Lectern continues without it.',
  fix: 'Give the current user permission to read it.',
});

export const configInvalid = defineRule({
  code: 'config-invalid',
  severity: 'error',
  title: 'A configuration file is not usable JSON',
  about: 'It is not a JSON object, or not a regular file. Nothing in it applies.',
  fix: 'Correct the file, or remove it.',
});

export const configKeyUnknown = defineRule({
  code: 'config-key-unknown',
  severity: 'error',
  title: 'A configuration key does not exist',
  about: 'A misspelled key sets nothing. The other keys of the file apply.',
  fix: 'Correct or remove the key.',
});

export const configValueInvalid = defineRule({
  code: 'config-value-invalid',
  severity: 'error',
  title: 'A configuration value does not fit its key',
  about: 'The value is of the wrong type or out of bounds, so it is ignored. The other keys of the file apply.',
  fix: 'Correct the value.',
});

export const configKeyRefused = defineRule({
  code: 'config-key-refused',
  severity: 'error',
  title: 'A project’s configuration has a setting that is not allowed there',
  about:
    'A project’s file comes with a repository, so it must not widen the access to a reader’s machine: it cannot name hosts, endpoints, plugin folders or paths outside the project, and cannot raise limits. Such a value is ignored.',
  fix: 'Put it into your own configuration file or give it as a flag, if you trust it.',
});
