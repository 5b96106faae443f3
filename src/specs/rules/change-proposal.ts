/** Rules for the documents of a change. Every export is a rule. */
import path from 'node:path';
import { defineRule } from '../../core/diagnostics.ts';
import { PROPOSAL, TASKS } from '../change-folder.ts';
import { at, type ChangeSubject } from './subject.ts';

export const proposalMissing = defineRule<ChangeSubject>({
  code: 'change-proposal-missing',
  severity: 'info',
  advice: true,
  title: 'A change has no proposal',
  about: 'proposal.md explains the change and its reason. Without it, a reader has only the id.',
  fix: 'Add proposal.md with "## Why" and "## What Changes".',
  bad: { 'tasks.md': '- [ ] 1.1 Add the form' },
  good: { 'proposal.md': '## Why\nPeople forget passwords.\n\n## What Changes\n- Sign in with a code' },
  *check({ change }) {
    if (!change.proposal)
      yield { message: 'there is no proposal.md', path: path.join(change.dir, PROPOSAL), ...at(0, PROPOSAL) };
  },
});

const EXPECTED = [
  { name: 'Why', aliases: ['why', '为什么', '原因', '背景', 'por qué', 'motivo'] },
  { name: 'What Changes', aliases: ['what changes', '变更内容', '改动内容', '变更', 'qué cambia', 'cambios'] },
];

export const proposalSectionMissing = defineRule<ChangeSubject>({
  code: 'proposal-section-missing',
  severity: 'info',
  advice: true,
  title: 'A proposal lacks Why or What Changes',
  about: 'Other tools for specs expect both sections.',
  fix: 'Add the missing section.',
  bad: { 'proposal.md': '## Why\nPeople forget passwords.' },
  good: { 'proposal.md': '## Why\nPeople forget passwords.\n\n## What Changes\n- Sign in with a code' },
  *check({ change }) {
    if (!change.proposal) return;
    const titles = new Set(change.proposalOutline.headings.map(({ text }) => text.toLowerCase()));
    for (const { name, aliases } of EXPECTED)
      if (!aliases.some((alias) => titles.has(alias)))
        yield { message: `there is no "${name}" section`, path: change.proposal.path, ...at(0, name) };
  },
});

export const tasksMissing = defineRule<ChangeSubject>({
  code: 'change-tasks-missing',
  severity: 'info',
  advice: true,
  title: 'A change has no tasks',
  about: 'tasks.md is needed to show progress.',
  fix: 'Add tasks.md with lines such as "- [ ] 1.1 Add the endpoint".',
  bad: { 'proposal.md': '## Why\nPeople forget passwords.' },
  good: { 'tasks.md': '- [ ] 1.1 Add the form' },
  *check({ change }) {
    if (!change.tasksFile)
      yield { message: 'there is no tasks.md', path: path.join(change.dir, TASKS), ...at(0, TASKS) };
  },
});
