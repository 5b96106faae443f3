import path from 'node:path';
import { PROPOSAL, TASKS } from '../change-folder.ts';
import type { ChangeSubject } from '../validate-change.ts';
import { defineAdvice, type ItemCode, type ItemFinding } from './finding.ts';

const proposalMissing = defineAdvice({
  code: 'change-proposal-missing',
  severity: 'info',
  title: 'A change has no proposal',
  about: 'proposal.md says why the change is made and what it changes; without it the id is all a reader has.',
  fix: 'Add proposal.md with "## Why" and "## What Changes".',
});

const proposalSectionMissing = defineAdvice({
  code: 'proposal-section-missing',
  severity: 'info',
  title: 'A proposal lacks Why or What Changes',
  about: 'Other tools for specs expect both sections.',
  fix: 'Add the missing section.',
});

const tasksMissing = defineAdvice({
  code: 'change-tasks-missing',
  severity: 'info',
  title: 'A change has no tasks',
  about: 'Without tasks.md there is no progress to show.',
  fix: 'Add tasks.md with lines such as "- [ ] 1.1 what to do".',
});

export const PROPOSAL_CODES: readonly ItemCode[] = [proposalMissing, proposalSectionMissing, tasksMissing];

const EXPECTED = [
  { name: 'Why', aliases: ['why', '为什么', '原因', '背景', 'por qué', 'motivo'] },
  { name: 'What Changes', aliases: ['what changes', '变更内容', '改动内容', '变更', 'qué cambia', 'cambios'] },
];

export function* checkProposal(subject: ChangeSubject): Iterable<ItemFinding> {
  const { change } = subject;
  if (!change.tasksFile)
    yield tasksMissing.at(subject.in(path.join(change.dir, TASKS), 0, TASKS), 'there is no tasks.md');
  const { proposal } = change;
  if (!proposal) {
    yield proposalMissing.at(subject.in(path.join(change.dir, PROPOSAL), 0, PROPOSAL), 'there is no proposal.md');
    return;
  }
  const titles = new Set(change.proposalOutline.headings.map(({ text }) => text.toLowerCase()));
  for (const { name, aliases } of EXPECTED) {
    if (!aliases.some((alias) => titles.has(alias)))
      yield proposalSectionMissing.at(subject.in(proposal.path, 0, name), `there is no "${name}" section`);
  }
}
