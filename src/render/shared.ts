/** Renders the results of the shared catalog commands. */
import { count, grouped } from '../core/text.ts';
import { secretsFilePublished } from '../hub/codes.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { publish, rollbackSource, sourceHistory } from '../operations/publish.ts';
import type { addToken, checkDatabase, databaseStatus, listTokens, pruneDatabase } from '../operations/shared-admin.ts';
import type { listSources, showAudit, sourceUsage } from '../operations/shared-lists.ts';
import { renderData } from './data.ts';
import { size } from './size.ts';
import { safe, type Style } from './style.ts';

const FILES_SHOWN = 20;

type Publication = AnswerOf<typeof publish>;

export function renderPublished(data: Publication, style: Style): string {
  const { outcome, skipped, leftOut, omitted } = data;
  const isPlan = outcome === 'planned';
  return `${[
    headOf(data, style),
    ...changedFiles(data, style),
    ...(isPlan ? findingLines(data, style) : adviceLines(data, style)),
    ...skippedLines(skipped, style),
    ...(leftOut === undefined ? [] : leftOutLines(leftOut, style)),
    ...(omitted === undefined ? [] : omittedLines(omitted, style)),
    ...(isPlan ? [style.dim('Nothing was published.')] : []),
  ].join('\n')}\n`;
}

function headOf(data: Publication, style: Style): string {
  const { source, outcome, number, files, uploaded, findings, replicas } = data;
  const name = style.bold(safe(source));
  const served = servedBy(replicas);
  if (outcome === 'published') {
    const about = style.dim(`(${count(files, 'file')}, ${grouped(uploaded)} uploaded${served})`);
    return `${style.green('✓')} ${name} is published: version ${number} ${about}`;
  }
  if (outcome === 'unchanged')
    return `${style.dim('·')} ${name} is unchanged: version ${number} ${style.dim(`(${count(files, 'file')}${served})`)}`;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) return `${style.red('✗')} ${name} would be refused: ${count(errors, 'error')}`;
  const now = number === 0 ? 'nothing was published yet' : `version ${number} is current`;
  return isChange(data) ? `${name} would have ${count(files, 'file')}; ${now}` : `${name} would not change; ${now}`;
}

function servedBy(replicas: number | undefined): string {
  return replicas === undefined ? '' : `; ${count(replicas, 'replica')} ${replicas === 1 ? 'serves' : 'serve'} it`;
}

/** Errors block a publication, so all are shown. `validate` shows the rest of the advice. */
function findingLines({ findings }: Publication, style: Style): string[] {
  const paint = { error: style.red, warning: style.yellow, info: style.dim };
  const [errors = [], warnings = [], notes = []] = (['error', 'warning', 'info'] as const).map((level) =>
    findings.filter(({ severity }) => severity === level),
  );
  const advice = [...warnings, ...notes];
  const left = advice.slice(FILES_SHOWN);
  const lines = [...errors, ...advice.slice(0, FILES_SHOWN)].map(
    ({ severity, code, path, message }) =>
      `  ${paint[severity](severity)} ${style.place(path)} ${safe(code)}: ${safe(message)}`,
  );
  if (left.length === 0) return lines;
  const command = left.some(({ scan }) => scan) ? 'lectern validate --scan' : 'lectern validate';
  return [...lines, style.dim(`  and ${left.length} more; ${command} shows them all`)];
}

/** The publication succeeded, so a count is enough, except for secrets, which may have to be revoked immediately. */
function adviceLines({ findings }: Publication, style: Style): string[] {
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  if (warnings.length === 0) return [];
  const secrets = warnings.filter(({ code }) => code === secretsFilePublished.code);
  return [
    `${style.yellow('!')} ${count(warnings.length, 'warning')}; ${style.cyan('--dry-run')} shows more`,
    ...secrets.slice(0, FILES_SHOWN).map(({ path, message }) => `    ${style.place(path)}: ${safe(message)}`),
    ...moreLine(secrets.length - FILES_SHOWN, style),
  ];
}

function skippedLines(skipped: Publication['skipped'], style: Style): string[] {
  if (skipped.length === 0) return [];
  return [
    `${style.yellow('!')} Skipped ${count(skipped.length, 'skill')}; ${style.cyan('--strict')} would refuse the publication:`,
    ...skipped
      .slice(0, FILES_SHOWN)
      .map(({ name, path, reason }) => `    ${safe(name)}: ${safe(reason)} ${style.dim(`(${safe(path)})`)}`),
    ...moreLine(skipped.length - FILES_SHOWN, style),
  ];
}

function leftOutLines({ count: all, first }: NonNullable<Publication['leftOut']>, style: Style): string[] {
  return [
    `${style.yellow('!')} Not published (outside the skill folders): ${count(all, 'SKILL.md file')}`,
    ...first.map((file) => `    ${safe(file)}`),
    ...moreLine(all - first.length, style),
  ];
}

function omittedLines({ count: all, first }: NonNullable<Publication['omitted']>, style: Style): string[] {
  return [
    `${style.yellow('!')} Omitted from skill and spec folders:`,
    ...first.map(({ path, reason }) => `    ${safe(path)} ${style.dim(`(${safe(reason)})`)}`),
    ...moreLine(all - first.length, style),
  ];
}

function moreLine(more: number, style: Style): string[] {
  return more > 0 ? [style.dim(`    and ${more} more`)] : [];
}

export function renderRolledBack(data: AnswerOf<typeof rollbackSource>, style: Style): string {
  const { source, outcome, number, replicas } = data;
  const name = style.bold(safe(source));
  const served = replicas === undefined ? '' : ` ${style.dim(`(${servedBy(replicas).slice('; '.length)})`)}`;
  const heads = {
    published: `${style.green('✓')} ${name} was rolled back: version ${number}${served}`,
    unchanged: `${style.dim('·')} ${name} already has these files: version ${number}${served}`,
    planned: `${name} would ${isChange(data) ? 'change' : 'not change'}; version ${number} is current`,
  };
  const end = outcome === 'planned' ? [style.dim('Nothing was published.')] : [];
  return `${[heads[outcome], ...changedFiles(data, style), ...end].join('\n')}\n`;
}

function isChange({ added, changed, removed }: Changes): boolean {
  return added.length + changed.length + removed.length > 0;
}

/** Enough of a commit ID to find it. */
const COMMIT_CHARACTERS = 12;

/**
 * The tables of history, audit and sources fit a terminal of 80 columns. The longest column comes last, so that only
 * long values wrap.
 */
export function renderHistory({ source, versions }: AnswerOf<typeof sourceHistory>, style: Style): string {
  const rows = versions.map(
    ({ number, at, actor, action, commit, restored, added, changed, removed, skipped, pruned }) => {
      const of = restored === undefined ? (commit?.slice(0, COMMIT_CHARACTERS) ?? '') : `to ${restored}`;
      const files = `+${added} ~${changed} -${removed}`;
      const notes = `${skipped === undefined ? '' : ` (${count(skipped, 'skill')} left out)`}${pruned ? ' (pruned)' : ''}`;
      return { number, at, actor, files, action: `${action} ${of}`.trimEnd() + notes };
    },
  );
  return renderData({ source, versions: rows }, style);
}

export function renderAudit(
  { entries, next }: AnswerOf<typeof showAudit>,
  style: Style,
  { input: { source, limit } }: { input: { source?: string | undefined; limit: number } },
): string {
  const rows = entries.map(({ at, actor, action, subject, number }) => ({
    snapshot: number,
    at,
    actor,
    action: `${action} ${subject}`,
  }));
  // IDs are omitted, because only the next page needs one.
  const about = source === undefined ? '' : ` --source ${safe(source)}`;
  const more = `lectern audit${about} --limit ${limit} --before ${next}`;
  return renderData({ entries: rows }, style) + (next === undefined ? '' : `Earlier entries: ${style.cyan(more)}\n`);
}

/** An expired token no longer works, but stays in the list until it is revoked. */
export function renderTokens({ tokens }: AnswerOf<typeof listTokens>, style: Style): string {
  return renderData(
    { tokens: tokens.map(({ expired, ...token }) => ({ ...token, ...(expired ? { state: 'expired' } : {}) })) },
    style,
  );
}

/** Maximum number of skills to list. */
const USED_SHOWN = 50;

export function renderSourceUsage({ skills }: AnswerOf<typeof sourceUsage>, style: Style): string {
  const left = skills.slice(USED_SHOWN);
  const never = left.filter(({ loads }) => loads === 0).length;
  const more = `and ${count(left.length, 'more skill')}, ${grouped(never)} of them never loaded; --json lists them all`;
  return renderData({ skills: skills.slice(0, USED_SHOWN) }, style) + (left.length === 0 ? '' : `${style.dim(more)}\n`);
}

/** Omits the commit, which `lectern history` shows. */
export function renderSources({ sources }: AnswerOf<typeof listSources>, style: Style): string {
  return renderData({ sources: sources.map(({ commit: _commit, ...others }) => others) }, style);
}

type Changes = Record<'added' | 'changed' | 'removed', readonly string[]>;

function changedFiles({ added, changed, removed }: Changes, style: Style): string[] {
  const lines = [
    ...added.map((file) => `  ${style.green('+')} ${safe(file)}`),
    ...changed.map((file) => `  ${style.yellow('~')} ${safe(file)}`),
    ...removed.map((file) => `  ${style.red('-')} ${safe(file)}`),
  ];
  if (lines.length <= FILES_SHOWN) return lines;
  const counts = `${added.length} added, ${changed.length} changed, ${removed.length} removed`;
  return [...lines.slice(0, FILES_SHOWN), style.dim(`  and ${lines.length - FILES_SHOWN} more: ${counts}`)];
}

export function renderDatabaseStatus(data: AnswerOf<typeof databaseStatus>, style: Style): string {
  const { migrated, done, known, snapshot, replicas } = data;
  if (!migrated && done > known) {
    const state = `migration ${done}; this version supports ${known}`;
    return `${style.yellow('!')} The tables are from a newer version of Lectern: ${state}\n  Update Lectern on this machine.\n`;
  }
  if (!migrated) {
    const state = `migration ${done}; this version needs ${known}`;
    return `${style.yellow('!')} The tables are out of date: ${state}\n  Run ${style.cyan('lectern db migrate')}.\n`;
  }
  const served = replicas.map(({ id, number, seenSecondsAgo }) => {
    const late = number === snapshot ? '' : style.yellow(` ${snapshot - number} behind`);
    return `  ${safe(id)} serves ${number}${late} ${style.dim(`(seen ${seenSecondsAgo} s ago)`)}`;
  });
  return `${[
    `${style.green('✓')} The tables are up to date ${style.dim(`(migration ${done})`)}`,
    `Snapshot ${style.bold(String(snapshot))}, ${count(replicas.length, 'live replica')}`,
    ...served,
  ].join('\n')}\n`;
}

export function renderChecked({ contents, bytes, damaged }: AnswerOf<typeof checkDatabase>, style: Style): string {
  const all = `${count(contents, 'stored file')} (${size(bytes)})`;
  if (damaged.length === 0) return `${style.green('✓')} ${all}, none damaged\n`;
  const lines = damaged.slice(0, FILES_SHOWN).map(({ sha256, usedBy }) => {
    const users = usedBy.length === 0 ? 'used by earlier versions or search data only' : usedBy.map(safe).join(', ');
    return `  ${safe(sha256.slice(0, COMMIT_CHARACTERS))} ${users}`;
  });
  const head = `${style.red('✗')} ${grouped(damaged.length)} of ${all} damaged`;
  const hint = '  Publish the sources again to repair them.';
  return `${[head, ...lines, ...moreLine(damaged.length - FILES_SHOWN, style), hint].join('\n')}\n`;
}

export function renderPruned(data: AnswerOf<typeof pruneDatabase>, style: Style): string {
  const { dryRun, versions, contents, bytes, sources } = data;
  const what = `${count(versions, 'version')} and ${count(contents, 'stored file')} (${size(bytes)})`;
  const lines = sources.map(
    ({ source, versions: lost, keptFrom }) =>
      `  ${safe(source)} ${style.dim(`(${count(lost, 'version')}; kept from ${keptFrom})`)}`,
  );
  const head = dryRun ? `${what} would be removed` : `${style.green('✓')} ${what} removed`;
  return `${[head, ...lines, ...(dryRun ? [style.dim('Nothing was removed.')] : [])].join('\n')}\n`;
}

/** The secret is on a separate line, so that it can be copied. */
export function renderTokenAdded(
  { id, token, team, scopes, expiresAt }: AnswerOf<typeof addToken>,
  style: Style,
): string {
  const until = expiresAt.slice(0, 'YYYY-MM-DD'.length);
  const uses = [
    ...(scopes.includes('read') ? ['Agents send it as their bearer token.'] : []),
    ...(scopes.includes('admin')
      ? ['Set as LECTERN_PUBLISH_TOKEN, it can publish for every team.']
      : scopes.includes('publish')
        ? ['Set it as LECTERN_PUBLISH_TOKEN in CI.']
        : []),
    ...(scopes.includes('read') ? [] : ['Agents cannot read with it.']),
  ];
  return `${[
    `${style.green('✓')} Token ${id} of ${style.bold(safe(team))}: ${scopes.join(', ')}, until ${until}`,
    token,
    style.dim(`This is the only time it is shown. ${uses.join(' ')}`),
  ].join('\n')}\n`;
}
