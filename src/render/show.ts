import type { showSkill } from '../operations/show-skill.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, forTerminal, grouped } from '../core/text.ts';
import { renderDiagnostic } from './diagnostics.ts';
import { safe, type Style, verbatim } from './style.ts';
import { fit, padEnd, widthOf, wrap } from './width.ts';

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
    ['file', style.place(data.file)],
    ...(data.realPath === data.path ? [] : ([['real path', style.place(data.realPath)]] as [string, string][])),
    ...(data.places ?? []).slice(1).map(({ path }): [string, string] => ['also at', style.place(path)]),
    ...(data.shadowedBy === undefined
      ? []
      : ([['the name loads', style.place(data.shadowedBy)]] as [string, string][])),
    ...(data.disabledBy === undefined ? [] : ([['disabled', style.say(data.disabledBy)]] as [string, string][])),
    ...(data.agents === undefined ? [] : ([['agents', statuses(data.agents)]] as [string, string][])),
    ...installedFacts(data, style),
    ...(data.package === undefined ? [] : ([['package', data.package]] as [string, string][])),
    ...frontmatterFacts(data),
    ['size', `${grouped(data.bytes)} bytes, ${count(data.lines, 'line')}`],
  ];
  const state = `${data.disabled ? ` ${style.yellow('[disabled]')}` : ''}${flagOf(data, style)}`;
  const sections = [
    `${style.bold(style.cyan(safe(data.name)))}${state}\n${wrap(safe(data.description), '', style.width)}`,
    renderFacts(facts, style),
    renderFiles(data, style),
    ...(data.diagnostics.length === 0
      ? []
      : [data.diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, style)).join('\n')]),
    data.content === undefined ? renderPreview(data, style) : verbatim(forTerminal(data.content).trimEnd()),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** Flags only findings that users should review before using the skill. */
function flagOf({ scan, fullName }: ShowSkillOutput, style: Style): string {
  const worst = scan?.worst;
  if (worst === undefined || worst === 'info' || worst === 'low') return '';
  const paint = worst === 'medium' ? style.yellow : style.red;
  return ` ${paint(`[scan: ${worst}]`)} ${style.dim(`lectern scan ${safe(fullName)}`)}`;
}

function statuses(agents: NonNullable<ShowSkillOutput['agents']>): string {
  const each = Object.entries(agents).map(([id, status]) => `${id} (${status.replaceAll('-', ' ')})`);
  return each.length === 0 ? 'none found here' : each.join(', ');
}

function installedFacts({ installed }: ShowSkillOutput, style: Style): [string, string][] {
  if (!installed) return [];
  const { source, commit, modified } = installed;
  const version = commit === null ? '' : ` at ${commit.slice(0, 12)}`;
  return [['installed', `from ${style.say(source)}${version}${modified ? ', changed since' : ''}`]];
}

/** Returns the other frontmatter values, some of which change the behavior of agents. */
function frontmatterFacts({ frontmatter }: ShowSkillOutput): [string, string][] {
  return Object.entries(frontmatter)
    .filter(([key, value]) => key !== 'name' && key !== 'description' && value !== null)
    .map(([key, value]) => [key, inWords(value)]);
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function renderFacts(facts: readonly [string, string][], style: Style): string {
  const columns = Math.max(...facts.map(([key]) => widthOf(safe(key)))) + 1;
  return facts.map(([key, value]) => `  ${style.dim(padEnd(`${safe(key)}:`, columns))} ${safe(value)}`).join('\n');
}

function renderFiles(data: ShowSkillOutput, style: Style): string {
  if (data.files.length <= 1 && !data.filesCut) return '';
  const shown = data.files
    .slice(0, FILES_SHOWN)
    .map(({ path, bytes }) => `  ${safe(path)} ${style.dim(`${grouped(bytes)} bytes`)}`);
  const left = data.files.length - shown.length;
  if (left > 0 || data.filesCut)
    shown.push(style.dim(`  … and ${count(left, 'more file')}${data.filesCut ? ', plus others over the limit' : ''}`));
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
