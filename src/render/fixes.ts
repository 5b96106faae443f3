import { quoteForBash } from '../core/quote-for-bash.ts';
import type { Report } from '../core/report.ts';
import type { FIXES } from '../operations/shapes.ts';
import type { ObjectOf } from '../core/fields/field.ts';
import { count } from '../core/text.ts';
import { renderDiff } from './diff.ts';
import { safe, type Style } from './style.ts';

type Fixes = ObjectOf<typeof FIXES>;

/** Codes of findings that `--fix` can often repair. */
const FIXABLE: ReadonlySet<string> = new Set([
  'byte-order-mark',
  'frontmatter-late',
  'frontmatter-repaired',
  'frontmatter-unclosed',
  'value-type',
]);

/** Suggests `--fix` below a report with findings that it can repair. */
export function renderFixHint({ errors, warnings }: Report, target: string | undefined, style: Style): string {
  const codes = [...errors, ...warnings].map(({ code }) => code);
  const subject = target === undefined ? '' : ` ${quoteForBash(target)}`;
  const hint = (about: string, flags: string): string =>
    `${style.dim(about)} ${safe(`lectern validate${subject} --fix ${flags}`)}\n`;
  const hints = [
    ...(codes.some((code) => FIXABLE.has(code)) ? [hint('Preview safe repairs:', '--dry-run')] : []),
    ...(codes.includes('name-folder')
      ? [hint('Preview names that match their folders:', '--name-from folder --dry-run')]
      : []),
  ];
  return hints.length === 0 ? '' : `\n${hints.join('')}`;
}

/** Renders the result of repairs without a prompt. */
export function renderFixEnd({ fixed = [] }: Fixes, isPreview: boolean, style: Style): string {
  if (isPreview) return `${style.dim('Nothing was written.')}\n`;
  return fixed.length === 0 ? '' : `\n${style.green('✓')} ${count(fixed.length, 'finding')} fixed\n`;
}

/** Renders the repairs with their differences, before they are made or if they were made without a prompt. */
export function renderFixes(fixes: Fixes, style: Style): string {
  return blocks(fixes, style, '\n\n', ({ file, code, diff }) => {
    const [kind = '', ...rest] = diff.split('\n');
    const isRename = kind.startsWith('rename from ');
    const shown = isRename ? renamed(diff, style) : renderDiff(rest.slice(1).join('\n'), style);
    return `${style.bold(style.place(file))} ${style.dim(code)}\n${shown}`;
  });
}

/** Renders repairs whose differences the user has just seen. */
export function renderFixed(fixes: Fixes, style: Style): string {
  return blocks(
    fixes,
    style,
    '\n',
    ({ file, code }) => `${style.green('✓')} fixed ${style.dim(code)} ${style.place(file)}`,
  );
}

function blocks(
  { fixed = [], notFixed = [] }: Fixes,
  style: Style,
  separator: string,
  render: (fix: NonNullable<Fixes['fixed']>[number]) => string,
): string {
  const left = notFixed.map(
    ({ file, code, reason }) =>
      `${style.yellow('!')} not fixed: ${style.dim(code)} ${style.place(file)}\n    ${style.say(reason)}`,
  );
  const parts = [fixed.map(render).join(separator), left.join('\n')].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}

function renamed(diff: string, style: Style): string {
  const [from = '', to = ''] = diff
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^rename (?:from|to) /u, ''));
  return `  ${style.red(`- ${style.place(from)}`)}\n  ${style.green(`+ ${style.place(to)}`)}`;
}
