import type { showSkill } from '../operations/show-skill.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, forTerminal, grouped } from '../core/text.ts';
import { renderDiagnostic } from './diagnostics.ts';
import { safe, type Style } from './style.ts';
import { fit, wrap } from './width.ts';

type ShowSkillOutput = AnswerOf<typeof showSkill>;

const FILES_SHOWN = 30;
const PREVIEW_COLUMNS_MIN = 16;

export function renderShow(data: ShowSkillOutput, style: Style): string {
  const facts: [string, string][] = [
    ['full name', data.fullName],
    ['provider', data.provider],
    ['location', data.location],
    ...(data.plugin === undefined
      ? []
      : ([['plugin', data.marketplace === undefined ? data.plugin : `${data.plugin}@${data.marketplace}`]] as [
          string,
          string,
        ][])),
    ['file', data.file],
    ...(data.realPath === data.path ? [] : ([['real path', data.realPath]] as [string, string][])),
    ...(data.places ?? []).slice(1).map(({ path }): [string, string] => ['also at', path]),
    ...(data.shadowedBy === undefined ? [] : ([['shadowed by', data.shadowedBy]] as [string, string][])),
    ['size', `${grouped(data.bytes)} bytes, ${count(data.lines, 'line')}`],
  ];
  const state = data.disabled ? ` ${style.yellow('[disabled]')}` : '';
  const sections = [
    `${style.bold(style.cyan(safe(data.name)))}${state}\n${wrap(safe(data.description), '', style.width)}`,
    facts.map(([key, value]) => `  ${style.dim(`${key}:`.padEnd(12))} ${safe(value)}`).join('\n'),
    renderFiles(data, style),
    ...(data.diagnostics.length === 0
      ? []
      : [data.diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, style)).join('\n')]),
    data.content === undefined ? renderPreview(data, style) : forTerminal(data.content).trimEnd(),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function renderFiles(data: ShowSkillOutput, style: Style): string {
  if (data.files.length <= 1 && !data.filesCut) return '';
  const shown = data.files
    .slice(0, FILES_SHOWN)
    .map(({ path, bytes }) => `  ${safe(path)} ${style.dim(`${grouped(bytes)} bytes`)}`);
  const left = data.files.length - shown.length;
  if (left > 0 || data.filesCut)
    shown.push(style.dim(`  … and ${count(left, 'more file')}${data.filesCut ? ' and others over the limit' : ''}`));
  return `${style.bold('Files')} ${style.dim(`(${grouped(data.files.length)})`)}\n${shown.join('\n')}`;
}

function renderPreview(data: ShowSkillOutput, style: Style): string {
  const lines = forTerminal(data.preview)
    .split('\n')
    .map((line) =>
      `  ${style.dim('│')} ${style.width === undefined ? line : fit(line, Math.max(PREVIEW_COLUMNS_MIN, style.width - 4))}`.trimEnd(),
    );
  const more = data.previewCut ? `\n  ${style.dim('… --full shows the rest')}` : '';
  return data.preview === '' ? '' : `${style.bold('Preview')}\n${lines.join('\n')}${more}`;
}
