/** Rules about agents that differ from the specification, or from Lectern, in reading a file. Every export is a rule. */
import { defineRule } from '../core/diagnostics.ts';

export const agentRefuses = defineRule({
  code: 'agent-refuses',
  severity: 'error',
  title: 'An agent does not list the skill',
  about:
    'Reported with the profile of that agent. Each agent has its own reader of frontmatter and leaves out what it cannot read, mostly without a message.',
  fix: 'Write the frontmatter as plain YAML: text in quotes, no tabs, fences without anything beside them.',
});

export const agentIgnoresFrontmatter = defineRule({
  code: 'agent-ignores-frontmatter',
  severity: 'error',
  title: 'An agent ignores the frontmatter',
  about:
    'Reported with the profile of that agent. It lists the skill with a line of its text instead of the description, and no other key counts.',
  fix: 'Write the frontmatter as plain YAML: text in quotes, no tabs, fences without anything beside them.',
});
