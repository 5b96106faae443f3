/** Rules for files that an agent reads differently than the specification or Lectern. Every export is a rule. */
import { defineRule } from '../core/diagnostics.ts';

export const agentRefuses = defineRule({
  code: 'agent-refuses',
  severity: 'error',
  title: 'An agent does not list the skill',
  about:
    'Reported with the profile of that agent. Each agent parses frontmatter in its own way and leaves out files that it cannot parse, usually without a message.',
  fix: 'Write the frontmatter as plain YAML: text in quotes, no tabs, and nothing but --- on the fence lines.',
});

export const agentIgnoresFrontmatter = defineRule({
  code: 'agent-ignores-frontmatter',
  severity: 'error',
  title: 'An agent ignores the frontmatter',
  about:
    'Reported with the profile of that agent. It lists the skill with a line of its text instead of the description, and ignores all other keys.',
  fix: 'Write the frontmatter as plain YAML: text in quotes, no tabs, and nothing but --- on the fence lines.',
});

export const requestsUnknownKey = defineRule({
  code: 'requests-unknown-key',
  severity: 'warning',
  title: 'skills.requests.yaml has an unknown key',
  about: 'The key has no effect. It may be a misspelling of another key.',
  fix: 'Delete the key, or correct its name: version, requests, request, expect or agents.',
});

export const requestsInvalidEntry = defineRule({
  code: 'requests-invalid-entry',
  severity: 'error',
  title: 'An entry of skills.requests.yaml cannot be used',
  about: 'An entry needs a request and the skill that should be first, or none. The other entries are checked.',
  fix: 'Write the entry as request: <text> and expect: <skill or none>.',
});

export const requestsDuplicate = defineRule({
  code: 'requests-duplicate',
  severity: 'warning',
  title: 'Two entries of skills.requests.yaml have the same request',
  about: 'Only the first of them is checked.',
  fix: 'Delete one of the entries.',
});

export const tryFailed = defineRule({
  code: 'try-failed',
  severity: 'error',
  title: 'The expected skill is not the first for a saved request',
  about:
    'Reported by lectern try --check for each agent: another skill fits the request better, the agent does not list the expected skill, or a skill fits although none should.',
  fix: 'Name the words of the request in the description of the expected skill, or state in the description of the other skill when not to use it.',
});

export const tryClose = defineRule({
  code: 'try-close',
  severity: 'warning',
  title: 'Another skill fits a saved request almost as well',
  about:
    'Reported by lectern try --check for each agent: the expected skill is first, but a model may choose differently.',
  fix: 'State in the descriptions of both skills when to use each.',
});
