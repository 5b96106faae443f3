/** The rule about leftover text from the template of `change new`. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { nameLines } from '../name-lines.ts';
import { templateLines } from '../template.ts';
import { at, type ChangeSubject } from './subject.ts';

export const templateUntouched = defineRule<ChangeSubject>({
  code: 'change-template-text',
  severity: 'warning',
  advice: true,
  title: 'A change still contains template text',
  about:
    'The lines are from the template of lectern change new. In a delta, archiving would copy them into the spec, so archiving is refused until they are replaced.',
  fix: 'Replace the lines with your own text, or delete them.',
  bad: { 'proposal.md': '## Why\nDescribe what is missing or wrong today, and for whom.\n\n## What Changes\n- Codes' },
  good: { 'proposal.md': '## Why\nPeople forget passwords.\n\n## What Changes\n- Sign in with a code' },
  *check({ change, deltas }) {
    if (change.isArchived) return;
    const files = [
      ...(change.proposal ? [{ path: change.proposal.path, outline: change.proposalOutline }] : []),
      ...deltas.map(({ path, parsed }) => ({ path, outline: parsed.outline })),
    ];
    for (const { path, outline } of files) {
      const lines = templateLines(outline).map((line) => ({ line, text: (outline.lines[line] ?? '').trim() }));
      const [first] = lines;
      if (first) yield { message: `template text: ${nameLines(lines, 1)}`, path, ...at(first.line) };
    }
  },
});
