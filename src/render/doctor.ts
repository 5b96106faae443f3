import type { doctor } from '../operations/doctor.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import { neverLoadedLine, tallies, versionLine } from './agents-here.ts';
import { renderDiagnostic } from './diagnostics.ts';
import { groupTitle, renderAmbiguous, severalVersions, sharedNote } from './list.ts';
import { skillCounts } from './no-skills.ts';
import { size } from './size.ts';
import { safe, type Style } from './style.ts';
import { padEnd, widthOf, wrap } from './width.ts';

type DoctorOutput = AnswerOf<typeof doctor>;

const LINKS_SHOWN = 10;

const LECTERN_ORDER =
  'Of several versions of a name, Lectern itself loads the one whose folder comes first here. lectern why <skill> shows which agent uses which version.';

export function renderDoctor(data: DoctorOutput, style: Style, { verbose }: { verbose: boolean }): string {
  const { counts } = data;
  const present = data.roots.filter(({ state }) => verbose || state !== 'missing');
  const missing = data.roots.length - present.length;
  const roots = present.map((root) => {
    const { dir, state, skills, shared, off, notLoaded, plugin } = root;
    const where = `  ${plugin === undefined ? '' : `${groupTitle({ ...root, path: dir }, style)}: `}${style.place(dir)}`;
    const also = style.dim((shared > 0 ? `, ${count(shared, 'link')} to a folder above` : '') + sharedNote(root));
    if (off !== undefined) return `${where}  ${style.yellow(`${count(skills, 'disabled skill')}: ${style.say(off)}`)}`;
    if (notLoaded !== undefined && skills > 0)
      return `${where}  ${style.yellow(`${count(skills, 'skill')}, not loaded: ${style.say(notLoaded)}`)}`;
    return `${where}  ${state === 'walked' ? style.green(count(skills, 'skill')) + also : style.yellow(state)}`;
  });
  if (counts.severalVersions > 0) roots.push(style.dim(wrap(LECTERN_ORDER, '  ', style.width)));
  const sections = [
    `${style.bold('Lectern')} ${data.version} ${style.dim(`on Node.js ${data.node}`)}\n  ${style.dim('project:')} ${safe(data.projectDir)}\n  ${style.dim('user:   ')} ${safe(data.userDir ?? 'none')}`,
    `${style.bold('Skill folders')}${missing > 0 ? style.dim(` (${grouped(missing)} missing; --verbose shows them)`) : ''}\n${roots.length > 0 ? roots.join('\n') : '  none yet'}`,
    renderSpecRoots(data, style),
    `${style.bold('Found')}\n  ${[
      ...skillCounts(counts.enabled, counts.disabled),
      ...(counts.severalVersions > 0 ? [severalVersions(counts.severalVersions)] : []),
      ...(counts.ambiguous > 0 ? [renderAmbiguous(counts)] : []),
      ...(counts.copies > 0 ? [count(counts.copies, 'identical copy', 'identical copies')] : []),
      ...(counts.linked > 0 ? [`${grouped(counts.linked)} reached through links`] : []),
      count(counts.specs, 'spec'),
      count(counts.changes, 'active change'),
    ].join(', ')}`,
    ...(data.linked.length === 0
      ? []
      : [
          renderPairs(
            'Linked skills',
            data.linked.map(({ file, realPath }) => [file, realPath]),
            style,
          ),
        ]),
    ...(data.copies.length === 0
      ? []
      : [
          renderPairs(
            'Identical copies',
            data.copies.map(({ file, copyOf }) => [file, copyOf]),
            style,
          ),
        ]),
    renderAgentsHere(data, style),
    ...renderOverlaps(data, style),
    ...renderInstalled(data, style),
    renderClients(data, style),
    renderIndex(data, style),
    renderScanLine(data, style),
    ...(data.unpublished.length === 0
      ? []
      : [
          renderPairs(
            'Served by the tools, but not as MCP skill resources',
            data.unpublished.map(({ file, reason }) => [file, reason]),
            style,
          ),
        ]),
    renderSettings(data, style, verbose),
    renderProblems(data, style, verbose),
  ];
  return `${sections.join('\n\n')}\n`;
}

function renderScanLine({ scan, counts }: DoctorOutput, style: Style): string {
  const title = style.bold('Scan');
  if (scan.skills === 0)
    return `${title}\n  ${style.dim(counts.skills === 0 ? 'no skills' : `${count(counts.skills, 'skill')} not scanned; run lectern scan`)}`;
  const levels = (['critical', 'high', 'medium', 'low'] as const).filter((level) => scan[level] > 0);
  const found = levels.map((level) => `${grouped(scan[level])} ${level}`).join(', ');
  const paint = scan.critical + scan.high > 0 ? style.red : scan.medium > 0 ? style.yellow : style.green;
  const partial = scan.partial ? style.dim(', partial') : '';
  const hint = found === '' ? '' : style.dim(' (details: lectern scan)');
  return `${title}\n  ${paint(found === '' ? 'nothing found' : found)} ${style.dim(`in ${count(scan.skills, 'skill')}`)}${partial}${hint}`;
}

function renderSpecRoots({ specRoots }: DoctorOutput, style: Style): string {
  const title = style.bold('Spec folders');
  if (specRoots.length === 0)
    return `${title}\n  ${style.dim('none; put specs in openspec/specs/<capability>/spec.md or set --specs-dir')}`;
  const lines = specRoots.map(({ layout, specsDir, specs, changes, archived }) => {
    const found = style.green(`${count(specs, 'spec')}, ${count(changes, 'change')}`);
    return `  ${layout}  ${style.place(specsDir)}  ${found}${archived > 0 ? style.dim(`, ${grouped(archived)} archived`) : ''}`;
  });
  return `${title}\n${lines.join('\n')}`;
}

function renderPairs(title: string, pairs: readonly [string, string][], style: Style): string {
  const lines = pairs
    .slice(0, LINKS_SHOWN)
    .map(([from, to]) => `  ${style.place(from)} ${style.dim('→')} ${style.say(to)}`);
  if (pairs.length > LINKS_SHOWN) lines.push(style.dim(`  … and ${grouped(pairs.length - LINKS_SHOWN)} more`));
  return `${style.bold(title)}\n${lines.join('\n')}`;
}

function renderAgentsHere({ agents, neverLoaded = [] }: DoctorOutput, style: Style): string {
  const title = style.bold('Agents');
  if (agents.length === 0) return `${title}\n  ${style.dim('none found here')}`;
  const columns = Math.max(...agents.map(({ name }) => widthOf(name)));
  const lines = agents.map((agent) => `  ${padEnd(agent.name, columns)}  ${tallies(agent, style, columns + 4)}`);
  for (const agent of agents) if (agent.newer) lines.push(`  ${agent.name}: ${versionLine(agent, style)}`);
  if (neverLoaded.length > 0) lines.push(`  ${neverLoadedLine(neverLoaded, style)}`);
  return `${title} ${style.dim('(details: lectern agents)')}\n${lines.join('\n')}`;
}

function renderOverlaps({ overlaps, agents }: DoctorOutput, style: Style): string[] {
  if (!overlaps || overlaps.total === 0) return [];
  const titles = new Map(agents.map(({ id, name }) => [id, name]));
  const lines = overlaps.pairs.map(({ a, b, agents: ids }) => {
    const inLists = [...new Set(ids.map((id) => titles.get(id) ?? id))].join(', ');
    return `  ${safe(a)} · ${safe(b)}  ${style.dim(inLists)}`;
  });
  const all = `(${count(overlaps.total, 'pair')}; details: lectern overlap)`;
  return [`${style.bold('Competing skills')} ${style.dim(all)}\n${lines.join('\n')}`];
}

function renderInstalled({ installed: { skills, modified, invalid } }: DoctorOutput, style: Style): string[] {
  if (skills === 0 && invalid === undefined) return [];
  const state =
    invalid !== undefined
      ? style.red(style.say(invalid))
      : modified > 0
        ? style.yellow(
            `${grouped(modified)} of ${count(skills, 'folder')} ${modified === 1 ? 'differs' : 'differ'} from the lock; run lectern verify for details`,
          )
        : style.green(`${count(skills, 'folder')} ${skills === 1 ? 'matches' : 'match'} the lock`);
  return [`${style.bold('Installed skills')}\n  ${state}`];
}

function renderClients({ clients }: DoctorOutput, style: Style): string {
  const title = style.bold('MCP clients');
  if (clients.length === 0)
    return `${title}\n  ${style.dim('no client configuration found; `lectern setup <client>` prints the entry to add')}`;
  const labels = clients.map(({ title: client, scope }) => `${client} · ${scope}`);
  const columns = Math.max(...labels.map(widthOf));
  const lines = clients.map(
    (client, index) =>
      `  ${padEnd(labels[index] ?? '', columns)}  ${style.place(client.file)}  ${renderClientState(client, style)}`,
  );
  return `${title}\n${lines.join('\n')}`;
}

function renderClientState(
  { client, scope, file, state, name, reason }: DoctorOutput['clients'][number],
  style: Style,
): string {
  if (state === 'present')
    return style.green(name === undefined || name === 'lectern' ? 'set up' : `set up as ${safe(name)}`);
  if (state === 'absent') return style.dim(`not set up; \`lectern setup ${client} --scope ${scope}\``);
  // The line already shows the path of the file.
  const why =
    reason === undefined
      ? ''
      : style.dim(` (${safe(reason.startsWith(file) ? reason.slice(file.length).trim() : reason)})`);
  return style.yellow(state === 'unknown' ? 'cannot tell' : state) + why;
}

function renderIndex({ index }: DoctorOutput, style: Style): string {
  const shown =
    index.dir === null
      ? style.yellow('no cache: there is no home folder')
      : `${index.bytes === 0 ? 'empty' : size(index.bytes)} ${style.dim(style.place(index.dir))}`;
  const old =
    index.oldIndex === undefined
      ? ''
      : `\n  ${style.yellow(style.place(index.oldIndex))} is from an earlier version and no longer used; remove it`;
  return `${style.bold('Search cache')}\n  ${shown}${old}`;
}

function renderSettings(data: DoctorOutput, style: Style, verbose: boolean): string {
  const shown = data.settings.filter(({ origin }) => verbose || origin !== 'default');
  if (shown.length === 0) return `${style.bold('Settings')}\n  all defaults`;
  const lines = shown.map(
    ({ key, value, origin, file }) =>
      `  ${key} = ${safe(JSON.stringify(value))} ${style.dim(file === undefined ? origin : `${origin}: ${style.place(file)}`)}`,
  );
  return `${style.bold('Settings')}\n${lines.join('\n')}`;
}

/** Lists the problems of folders, settings, names and clients. The verdict counts those of `validate --all` too. */
function renderProblems(data: DoctorOutput, style: Style, verbose: boolean): string {
  const shown = data.diagnostics.filter(({ severity }) => verbose || severity !== 'info');
  const hidden = data.diagnostics.length - shown.length;
  const note =
    hidden > 0 ? style.dim(`\n${count(hidden, 'note')} hidden; --verbose shows ${hidden === 1 ? 'it' : 'them'}`) : '';
  const { errors, warnings, problemsPartial } = data.counts;
  const listed = data.diagnostics.filter(({ severity }) => severity !== 'info').length;
  const more = errors + warnings - listed;
  const rest = problemsPartial
    ? style.dim('\nNot all skills were validated; lectern validate --all finds more')
    : more > 0
      ? style.dim(
          `\n${grouped(more)} more in skills, specs and changes; lectern validate --all --severity warning shows them`,
        )
      : '';
  const verdict =
    errors > 0
      ? style.red(`✗ ${count(errors, 'error')}, ${count(warnings, 'warning')}`)
      : warnings > 0
        ? style.yellow(`! ${count(warnings, 'warning')}`)
        : `${style.green('✓')} No errors or warnings.`;
  if (shown.length === 0) return verdict + rest + note;
  return `${style.bold('Problems')}\n${shown.map((diagnostic) => renderDiagnostic(diagnostic, style)).join('\n')}\n\n${verdict}${rest}${note}`;
}
