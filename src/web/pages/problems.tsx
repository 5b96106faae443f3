/** All findings of `validate --all`, by file. */
import path from 'node:path';
import { quoteForBash } from '../../core/quote-for-bash.ts';
import { count, grouped } from '../../core/text.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { validateSkills } from '../../operations/validate-skills.ts';
import { isSkillPath } from '../../skills/skill.ts';
import { address, changeAddress, skillAddress, specAddress } from '../address.ts';
import { Badge, Command, Link, Sign, type Html, type Tone } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage, type Values } from '../page.ts';

type Report = AnswerOf<typeof validateSkills>;
type Finding = Report['errors'][number] & { severity: Severity };
type Item = Report['items'][number];

const KINDS = ['skills', 'specs', 'changes'] as const;
const SEVERITIES = ['error', 'warning', 'info'] as const;
type Severity = (typeof SEVERITIES)[number];

const AT_ONCE = 100;

const kindOf = ({ kind }: Values) => KINDS.find((each) => each === kind);
const severityOf = ({ severity }: Values) => SEVERITIES.find((each) => each === severity);

export const problemsPage = definePage({
  path: '/problems',
  section: 'problems',
  twin: {
    path: '/api/problems',
    operation: validateSkills,
    input: (values) => {
      const [kind, only, { cursor }] = [kindOf(values), severityOf(values), values];
      return {
        all: true,
        limit: AT_ONCE,
        ...(kind === undefined ? {} : { in: [kind] }),
        ...(only === undefined ? {} : { only }),
        ...(cursor === undefined ? {} : { cursor }),
      };
    },
  },
  show: (report, { values, here }) => ({ title: 'Problems', main: Problems({ report, values, here }) }),
});

const WORDS = {
  error: ['Errors', 'error', 'bad'],
  warning: ['Warnings', 'warning', 'warn'],
  info: ['Notes', 'note', 'line'],
} as const satisfies Record<Severity, readonly [string, string, Tone]>;

function Problems({ report, values, here }: { report: Report; values: Values; here: Here }): Html {
  const { counts = { errors: 0, warnings: 0, info: 0 }, nextCursor } = report;
  const [kind, severity] = [kindOf(values), severityOf(values)];
  const numbers = { error: counts.errors, warning: counts.warnings, info: counts.info };
  const all = counts.errors + counts.warnings + counts.info;
  const groups = groupsOf(report);
  const chip = (
    label: string,
    query: { kind?: string | undefined; severity?: string | undefined },
    isOn: boolean,
  ): Html => (
    <Link class="chip" data-soft to={address('/problems', query)} aria-current={isOn ? 'true' : undefined}>
      {label}
    </Link>
  );
  return (
    <>
      <h1>Problems</h1>
      <p class="lede">
        {count(counts.errors + counts.warnings, 'problem')}. {here.say(report.summary)}
      </p>
      <div class="chips" role="group" aria-label="Kind">
        {chip('Everything', { severity }, kind === undefined)}
        {KINDS.map((each) =>
          chip(`${each[0]?.toUpperCase()}${each.slice(1)}`, { kind: each, severity }, kind === each),
        )}
      </div>
      <div class="chips" role="group" aria-label="Severity">
        {chip('All', { kind }, severity === undefined)}
        {SEVERITIES.map((each) =>
          chip(`${WORDS[each][0]} ${grouped(numbers[each])}`, { kind, severity: each }, severity === each),
        )}
      </div>
      {groups.length === 0 ? (
        <p class="empty">{all === 0 ? 'Nothing needs attention.' : 'No findings of this kind.'}</p>
      ) : (
        <div id="rows">
          {groups.map((group) => (
            <FileCard {...group} here={here} />
          ))}
        </div>
      )}
      {nextCursor === undefined ? null : (
        <p id="more" class="more">
          <Link to={address('/problems', { kind, severity, cursor: nextCursor })}>More findings</Link>
        </p>
      )}
    </>
  );
}

interface Group {
  file: string;
  item: string;
  type: Item['type'] | undefined;
  findings: Finding[];
}

/** Groups findings by file. Files with the most serious findings come first. */
function groupsOf({ errors, warnings, info, items }: Report): Group[] {
  const groups = new Map<string, Group>();
  const lists = { error: errors, warning: warnings, info };
  for (const severity of SEVERITIES) {
    for (const finding of lists[severity]) {
      const { file, item } = finding;
      const key = `${file}\0${item}`;
      const group = groups.get(key) ?? { file, item, type: typeOf(items, item, file), findings: [] };
      group.findings.push({ ...finding, severity });
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** A skill, a spec and a change can have the same ID, so the file decides. */
function typeOf(items: readonly Item[], id: string, file: string): Item['type'] | undefined {
  const types = items.filter((item) => item.id === id).map(({ type }) => type);
  if (types.length < 2) return types[0];
  if (isSkillPath(file)) return 'skill';
  return types.find((type) => type === (/[/\\]_?changes[/\\]/u.test(file) ? 'change' : 'spec'));
}

/** An item without a readable name is its file. */
function skillOf(item: string, file: string, here: Here): string {
  const dir = path.dirname(file);
  const name = item === file ? path.basename(dir) : item;
  return skillAddress(name, isSkillPath(file) ? here.copyOf(name, dir) : undefined);
}

function FileCard({ file, item, type, findings, here }: Group & { here: Here }): Html {
  const title = item === file ? here.place(file) : item;
  const to =
    type === undefined
      ? undefined
      : type === 'skill'
        ? skillOf(item, file, here)
        : type === 'spec'
          ? specAddress(item)
          : changeAddress(item);
  const name = quoteForBash(item);
  const command =
    type === 'spec'
      ? `lectern spec validate ${name}`
      : type === 'change'
        ? `lectern change validate ${name}`
        : type === 'skill'
          ? `lectern validate ${name}`
          : 'lectern doctor';
  return (
    <article class="card problems">
      <div class="req-h">
        <h2 class="h3">{to === undefined ? title : <Link to={to}>{title}</Link>}</h2>
        {type === undefined ? null : <Badge tone="line">{type}</Badge>}
        {item === file ? null : <span class="sum path">{here.place(file)}</span>}
      </div>
      <ul class="todo lines">
        {findings.map(({ severity, code, line, description, fix }) => (
          <li data-row>
            <Sign of={severity === 'error' ? 'bad' : 'warn'} />
            <b>{here.say(description)}</b>
            <p class="why">
              {line === undefined ? '' : `Line ${line}. `}
              {here.say(fix)}
            </p>
            <span class="tags">
              <Badge tone={WORDS[severity][2]}>{WORDS[severity][1]}</Badge> <code>{code}</code>
            </span>
          </li>
        ))}
      </ul>
      <div class="foot-cmd">
        <Command run={command} here={here} />
        <span class="tiny dim">{count(findings.length, 'finding')}</span>
      </div>
    </article>
  );
}
