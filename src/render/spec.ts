import type { showSpec } from '../operations/show-spec.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, forTerminal } from '../core/text.ts';
import { renderRequirement } from './requirement.ts';
import { safe, type Style, titled } from './style.ts';
import { wrap } from './width.ts';

type ShowSpecOutput = AnswerOf<typeof showSpec>;

export function renderSpec(data: ShowSpecOutput, style: Style): string {
  const head = `${titled(data.title, data.id, style)}\n${style.dim(style.place(data.file))}`;
  if (data.content !== undefined) return `${head}\n\n${forTerminal(data.content.trimEnd())}\n`;
  const scenarios = data.requirements.reduce((sum, requirement) => sum + requirement.scenarios.length, 0);
  const sections = [
    head,
    ...(data.purpose === '' ? [] : [wrap(safe(data.purpose.replaceAll(/\s+/gu, ' ')), '', style.width)]),
    ...data.requirements.map((requirement) => renderRequirement(requirement, '', style)),
    style.dim(`${count(data.requirements.length, 'requirement')}, ${count(scenarios, 'scenario')}`),
  ];
  return `${sections.join('\n\n')}\n`;
}
