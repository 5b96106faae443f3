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
