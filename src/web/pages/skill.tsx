/** One skill: the agents that see this copy, the other copies, its text, its files and its findings. */
import path from 'node:path';
import { PROFILES } from '../../agents/profiles/index.ts';
import { isListed } from '../../agents/status.ts';
import { tryRead } from '../../core/disk/answers.ts';
import { changedAt, FileTrouble } from '../../core/disk/tree.ts';
import type { ExplainedError } from '../../core/failure.ts';
import { bodyOf } from '../../core/frontmatter/split.ts';
import { unifiedDiff } from '../../core/line-diff.ts';
import { LIMITS } from '../../core/limits.ts';
import { count, foldName, grouped } from '../../core/text.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { showSkill } from '../../operations/show-skill.ts';
import { validateSkills } from '../../operations/validate-skills.ts';
import { why, type WhyOutput } from '../../operations/why.ts';
import { fullNameOf, type Skill } from '../../skills/skill.ts';
import type { Reader } from '../../workspace/reader.ts';
import { ago } from '../ago.ts';
import { address, skillAddress, skillFileAddress, sourceAddress, whyAddress } from '../address.ts';
import { listSources, type SourceFacts } from '../catalog/list-sources.ts';
import { Badge, Command, Link, SectionHead, type Html, Sign } from '../html.tsx';
import { markdown, MARKDOWN_CHARACTERS } from '../markdown.ts';
import type { Places } from '../places.ts';
import { Copies, type CopyNode } from '../plots/copies.tsx';
import { type Mark, Ruler } from '../plots/ruler.tsx';
import { STATUS_LOOKS, StatusMark } from '../status.tsx';
import { definePage, type PageContent, type PageContext } from '../page.ts';
import { size } from '../words.ts';
import { By } from './source-parts.tsx';
import { placeWords } from './why.tsx';

type Details = AnswerOf<typeof showSkill>;
type Answer = WhyOutput['agents'][number];
type Scanned = NonNullable<Details['scan']>;

export const skillPage = definePage({
  path: '/skills/:name',
  section: 'skills',
  twin: {
    path: '/api/skill',
    operation: showSkill,
    input: ({ name, copy = name, full }) => ({ name: copy, full }),
  },
  show: async (details, asked) => ({ title: details.name, main: <SkillPage {...await factsOf(details, asked)} /> }),
  failed: showBroken,
});

interface Facts {
  details: Details;
  /** Distinguishes this copy in addresses, in addition to the full name. */
  copy: string | undefined;
  /** The source that contains it, in a shared catalog. */
  source: SourceFacts | undefined;
  /** Findings of reading and validation. */
  findings: Details['diagnostics'];
  body: { text: string; from: number; total: number };
  answers: readonly Answer[];
  copies: readonly CopyNode[];
  comparison: { with: string; diff: string } | undefined;
  modified: Date | undefined;
  places: Places;
}

async function factsOf(details: Details, asked: PageContext): Promise<Facts> {
  const { ask, places, reader, values } = asked;
  const skill = reader.snapshot.all.copies.find(({ dir }) => dir === details.path);
  const content = skill ? (await reader.contentOf(skill).whole()).text : '';
  const { agents: answers } = reader.isShared
    ? { agents: [] }
    : await ask(why, { name: details.path }).catch(() => ({ agents: [] }));
  const body = bodyOf(content);
  const from = Math.max(0, Number.parseInt(values['from'] ?? '0', 10) || 0);
  return {
    details,
    copy: reader.isShared ? values['copy'] : details.path,
    source: await sourceOf(skill?.source, asked),
    findings: await findingsOf(details, asked),
    body: { text: body.slice(from, from + MARKDOWN_CHARACTERS), from, total: body.length },
    answers,
    copies: await copiesOf(details, content, asked),
    comparison: await compareWith(values['with'], details, content, reader, places),
    modified: skill && changedAt(skill.stamp),
    places,
  };
}

async function sourceOf(name: string | undefined, { ask }: PageContext): Promise<SourceFacts | undefined> {
  if (name === undefined) return undefined;
  return (await ask(listSources, { query: name })).sources.find(({ source }) => source === name);
}

/** Includes the findings of `lectern validate`, so that the page agrees with it. */
async function findingsOf({ diagnostics, path: dir }: Details, { ask }: PageContext): Promise<Details['diagnostics']> {
  const report = await ask(validateSkills, { target: dir }).catch(() => undefined);
  if (!report) return diagnostics;
  const found = (['error', 'warning'] as const).flatMap((severity) =>
    report[`${severity}s`].map(({ file, description: message, ...rest }) => ({
      ...rest,
      severity,
      path: file,
      message,
    })),
  );
  const known = new Set(found.map(({ code }) => code));
  return [...found, ...diagnostics.filter(({ code }) => !known.has(code))];
}

function sameName({ snapshot }: Reader, name: string): Skill[] {
  const key = foldName(name);
  return snapshot.all.copies.filter((skill) => skill.key === key);
}

/** More would not fit into the drawing. */
const COPIES_MAX = 12;

async function copiesOf(details: Details, content: string, asked: PageContext): Promise<CopyNode[]> {
  const { ask, places, reader, values } = asked;
  const isThisOne = ({ dir }: Skill): boolean => dir === details.path;
  const all = sameName(reader, details.name);
  const skills = [...all.filter(isThisOne), ...all.filter((skill) => !isThisOne(skill))].slice(0, COPIES_MAX);
  if (skills.length < 2) return [];
  const hasTwin = (skill: Skill): boolean =>
    skills.some((other) => other !== skill && fullNameOf(other) === fullNameOf(skill));
  const { agents } = reader.isShared ? { agents: [] } : await ask(why, { name: details.name });
  const copy = reader.isShared ? values['copy'] : details.path;
  const users = new Map<string, string[]>();
  for (const { title, status, path: dir, winner } of agents) {
    const used = isListed(status) ? dir : winner;
    if (typeof used === 'string') users.set(used, [...(users.get(used) ?? []), title]);
  }
  const nodes: CopyNode[] = [];
  for (const skill of skills) {
    const isThis = skill.dir === details.path;
    const { text } = await reader.contentOf(skill).whole();
    const differs = text !== content;
    nodes.push({
      title: skill.source ?? placeWords({ place: skill.location, path: skill.dir }, places),
      place: places.place(skill.dir),
      to: skillAddress(fullNameOf(skill), skill.source === undefined || hasTwin(skill) ? skill.dir : undefined),
      isThis,
      note: differs ? `differs in ${count(differingLines(content, text), 'line')}` : 'same text',
      compare: isThis || !differs ? undefined : `${skillAddress(details.fullName, copy, { with: skill.dir })}#compared`,
      agents: users.get(skill.dir) ?? [],
    });
  }
  return nodes.sort((a, b) => Number(b.isThis) - Number(a.isThis));
}

function differingLines(a: string, b: string): number {
  const lines = unifiedDiff(a, b, { from: 'a', to: 'b', context: 0 }).split('\n');
  const added = lines.filter((line) => /^\+(?!\+\+ )/u.test(line)).length;
  const removed = lines.filter((line) => /^-(?!-- )/u.test(line)).length;
  return Math.max(added, removed);
}

/** Only reads copies that are in the catalog. */
async function compareWith(
  dir: string | undefined,
  details: Details,
  content: string,
  reader: Reader,
  places: Places,
): Promise<Facts['comparison']> {
  const other = dir === undefined ? undefined : sameName(reader, details.name).find((skill) => skill.dir === dir);
  if (!other) return undefined;
  const { text } = await reader.contentOf(other).whole();
  const [from, to] = [places.place(details.path), places.place(other.dir)];
  return { with: to, diff: unifiedDiff(content, text, { from, to }) };
}

function SkillPage(facts: Facts): Html {
  const { details, copy, source, findings, body, answers, copies, comparison, places } = facts;
  const { name, fullName, description, provider, location, disabled, path: dir, scan } = details;
  const seen = answers.filter(({ status }) => isListed(status)).length;
  const problems = findings.filter(({ severity }) => severity !== 'info');
  return (
    <>
      <p class="crumb">
        <Link to="/skills">Skills</Link> /{' '}
        {source ? (
          <Link to={address('/skills', { source: source.source })}>{source.source}</Link>
        ) : (
          <>
            <Link to={address('/skills', { provider })}>{provider}</Link> /{' '}
            <Link to={address('/skills', { provider, location })}>{location}</Link>
          </>
        )}
      </p>
      <div class={disabled ? 'off' : undefined}>
        <h1>{name}</h1>
        <p class="lede">{description}</p>
      </div>
      <p class="chips">
        <Badge tone="line">{fullName}</Badge>
        {source ? null : <Badge tone="line">{location}</Badge>}
        {disabled ? <Badge>disabled</Badge> : null}
        {problems.length === 0 ? (
          <Badge tone="ok">valid</Badge>
        ) : (
          <Link class="b warn" to="#findings">
            {count(problems.length, 'finding')}
          </Link>
        )}
        {copies.length > 1 ? (
          <Link class="b" to="#copies">
            {source ? `${copies.length} of this name` : count(copies.length, 'copy', 'copies')}
          </Link>
        ) : null}
        {details.shadowedBy === undefined ? null : <Badge>another copy is used</Badge>}
        <ScanBadge scan={scan} />
      </p>
      <div class="split">
        <div>
          {disabled ? <Disabled details={details} places={places} /> : null}
          {answers.length === 0 ? null : (
            <section aria-labelledby="who">
              <SectionHead id="who" title="Who sees this copy" note={`${seen} of ${count(answers.length, 'agent')}`} />
              <ul class="card seenby">
                {answers.map((answer) => (
                  <SeenBy answer={answer} dir={dir} places={places} />
                ))}
              </ul>
            </section>
          )}
          {copies.length < 2 ? null : (
            <section aria-labelledby="copies">
              <SectionHead id="copies" title={source ? 'Skills of this name' : 'Copies, and which one wins where'} />
              {source ? <Namesakes copies={copies} /> : <Copies copies={copies} />}
            </section>
          )}
          {comparison === undefined ? null : (
            <section aria-labelledby="compared">
              <SectionHead id="compared" title={`Compared with ${comparison.with}`} />
              <Diff text={comparison.diff} />
            </section>
          )}
          <section aria-labelledby="text">
            <SectionHead
              id="text"
              title="Text"
              note={`${count(details.lines, 'line')}, ${size(details.bytes)}`}
              more={<Link to={skillFileAddress(fullName, path.basename(details.file), copy)}>Source</Link>}
            />
            <Body details={details} copy={copy} body={body} />
          </section>
          <Findings diagnostics={findings} places={places} />
          <Scan scan={scan} places={places} />
        </div>
        <Side {...facts} />
      </div>
    </>
  );
}

function Disabled({ details, places }: { details: Details; places: Places }): Html {
  return (
    <div class="note">
      <Sign of="warn" />
      <div>
        It is disabled{details.disabledBy === undefined ? '' : ` by ${details.disabledBy}`}, so no agent loads it.
      </div>
      {places.catalogUrl === undefined ? <Command run={`lectern enable ${details.fullName}`} places={places} /> : null}
    </div>
  );
}

/** Skills of the same name in other sources, and other copies in this one. */
function Namesakes({ copies }: { copies: readonly CopyNode[] }): Html {
  return (
    <ul class="card rows">
      {copies.map(({ title, place, to, isThis, note, compare }) => (
        <li data-row>
          <div class="what">
            {isThis ? (
              <b>{title}</b>
            ) : (
              <Link class="ttl" to={to}>
                {title}
              </Link>
            )}{' '}
            {isThis ? <Badge tone="acc">this one</Badge> : null}
          </div>
          {isThis ? null : (
            <span class="small dim">
              {note}
              {compare === undefined ? null : (
                <>
                  {' · '}
                  <Link to={compare}>compare</Link>
                </>
              )}
            </span>
          )}
          <p class="src path">{place}</p>
        </li>
      ))}
    </ul>
  );
}

function SeenBy({ answer, dir, places }: { answer: Answer; dir: string; places: Places }): Html {
  return (
    <li>
      <Link class="h" to={whyAddress(answer.id, dir)}>
        <StatusMark status={answer.status} />
        {answer.title}
      </Link>
      <p>{answer.status === 'seen' ? 'whole' : `${STATUS_LOOKS[answer.status].words}: ${places.say(answer.reason)}`}</p>
    </li>
  );
}

function Body({ details, copy, body: { text, from, total } }: Pick<Facts, 'details' | 'copy' | 'body'>): Html {
  const files = new Set(details.files.map((file) => file.path));
  const fileAddress = (file: string): string | undefined =>
    files.has(file) ? skillFileAddress(details.fullName, file, copy) : undefined;
  const end = from + text.length;
  return (
    <article class="card pad">
      {text.trim() === '' ? (
        <p class="dim">The file has no text below its frontmatter.</p>
      ) : (
        <div class="read">{markdown(text, { fileAddress })}</div>
      )}
      {end < total ? (
        <p>
          <Link to={`${skillAddress(details.fullName, copy, { from: String(end) })}#text`}>
            {grouped(total - end)} more characters
          </Link>
        </p>
      ) : null}
      {from > 0 ? (
        <p>
          <Link to={`${skillAddress(details.fullName, copy)}#text`}>From the beginning</Link>
        </p>
      ) : null}
    </article>
  );
}

function Findings({ diagnostics, places }: { diagnostics: Details['diagnostics']; places: Places }): Html | null {
  if (diagnostics.length === 0) return null;
  return (
    <section aria-labelledby="findings">
      <SectionHead id="findings" title="Findings" note={count(diagnostics.length, 'finding')} />
      <ul class="card todo">
        {diagnostics.map(({ severity, message, path: file, ...rest }) => (
          <Finding {...rest} isBad={severity === 'error'} said={message} file={file} places={places} />
        ))}
      </ul>
    </section>
  );
}

interface FindingProps {
  isBad: boolean;
  /** Severity according to the scan. */
  level?: string | undefined;
  said: string;
  code: string;
  fix: string;
  file: string;
  line?: number | undefined;
  evidence?: string | undefined;
  places: Places;
}

function Finding({ isBad, level, said, code, fix, file, line, evidence, places }: FindingProps): Html {
  return (
    <li>
      <Sign of={isBad ? 'bad' : 'warn'} />
      <div>
        <b>{places.say(said)}</b> {level === undefined ? null : <Badge>{level}</Badge>} <code class="tiny">{code}</code>
        {evidence === undefined ? null : <pre class="evidence">{evidence}</pre>}
        <p class="why">
          {places.place(file)}
          {line === undefined ? '' : `:${line}`}. {places.say(fix)}
        </p>
      </div>
    </li>
  );
}

function ScanBadge({ scan }: { scan: Scanned | undefined }): Html | null {
  if (!scan) return null;
  if (scan.findings.length > 0)
    return (
      <Link class="b bad" to="#scan">
        {count(scan.findings.length, 'scan finding')}
      </Link>
    );
  return <Badge tone="line">{scan.partial ? 'scanned in part, nothing found' : 'scanned, nothing found'}</Badge>;
}

/** More would bury the rest of the page. The command lists all of them. */
const SCAN_SHOWN = 30;

function Scan({ scan, places }: { scan: Scanned | undefined; places: Places }): Html | null {
  if (!scan || scan.findings.length === 0) return null;
  return (
    <section aria-labelledby="scan">
      <SectionHead id="scan" title="Scan" note={count(scan.findings.length, 'finding')} />
      <ul class="card todo">
        {scan.findings.slice(0, SCAN_SHOWN).map(({ level, message, path: file, ...rest }) => (
          <Finding
            {...rest}
            isBad={level === 'critical' || level === 'high'}
            level={level}
            said={message}
            file={file}
            places={places}
          />
        ))}
      </ul>
    </section>
  );
}

const FILES_SHOWN = 50;

function Side({ details, copy, source, modified, places }: Facts): Html {
  const { name, fullName, description, files, frontmatter, agents = {} } = details;
  const marks = PROFILES.flatMap(({ id, name: agent, reading: { descriptionMax } }): Mark[] =>
    descriptionMax !== undefined && id in agents ? [{ agent, at: descriptionMax }] : [],
  ).sort((a, b) => a.at - b.at);
  const fields = Object.entries(frontmatter).filter(([key]) => key !== 'description');
  return (
    <aside class="side">
      <section class="card pad">
        <h2 class="h3">Use it</h2>
        {source ? (
          <>
            <p>
              <Command run={fullName} places={places} />
            </p>
            <p class="tiny dim">the name by which agents always find this one</p>
          </>
        ) : (
          <>
            <p>
              <Command run={`/${name}`} places={places} />
            </p>
            <p class="tiny dim">in an agent that lists it</p>
            <p>
              <Command run={`lectern show ${fullName} --full`} places={places} />
            </p>
            <p>
              <Command run={`lectern why ${name}`} places={places} />
            </p>
          </>
        )}
      </section>
      {source ? (
        <section class="card pad">
          <h2 class="h3">Published with</h2>
          <p>
            <Link to={sourceAddress(source.source)}>{source.source}</Link>, version {source.version}
          </p>
          {source.published === undefined ? null : (
            <p class="small dim">
              <By of={source.published} />
            </p>
          )}
        </section>
      ) : null}
      <section class="card pad">
        <h2 class="h3">Description</h2>
        <p class="small dim">
          {grouped([...description].length)} characters{marks.length === 0 ? '' : '; agents cut longer ones here:'}
        </p>
        {marks.length === 0 ? null : <Ruler length={[...description].length} marks={marks} />}
      </section>
      <section class="card pad">
        <h2 class="h3">Files</h2>
        <ul class="files">
          {files.slice(0, FILES_SHOWN).map((file) => (
            <li>
              <Link to={skillFileAddress(fullName, file.path, copy)}>{file.path}</Link>
              <span class="num">{size(file.bytes)}</span>
            </li>
          ))}
        </ul>
        {files.length > FILES_SHOWN || details.filesCut ? (
          <p class="small dim">and {grouped(files.length - FILES_SHOWN)} more</p>
        ) : null}
      </section>
      <section class="card pad">
        <h2 class="h3">Frontmatter</h2>
        <dl class="facts">
          {fields.map(([key, value]) => (
            <>
              <dt>{key}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </>
          ))}
          <dt>in</dt>
          <dd class="path">{places.place(details.path)}</dd>
          {modified === undefined ? null : (
            <>
              <dt>changed</dt>
              <dd>{ago(modified.getTime())}</dd>
            </>
          )}
        </dl>
      </section>
    </aside>
  );
}

/** A unified diff. Color only repeats the first character of each line. */
function Diff({ text }: { text: string }): Html {
  return (
    <pre class="diff card" tabindex={0}>
      {text
        .trimEnd()
        .split('\n')
        .map((line) => (
          <span class={DIFF_LINES[line.charAt(0)] ?? ''}>{`${line}\n`}</span>
        ))}
    </pre>
  );
}

const DIFF_LINES: Readonly<Record<string, string>> = { '+': 'now', '-': 'was', '@': 'at' };

/** A file that could not be read as a skill: shows the errors instead of the text. */
function showBroken(failure: ExplainedError, { values, reader, places }: PageContext): PageContent | undefined {
  const { name = '', copy } = values;
  const wanted = copy ?? (failure.path === undefined ? undefined : path.dirname(failure.path));
  if (failure.code !== 'NOT_FOUND' || wanted === undefined) return undefined;
  const found = reader.snapshot.discovery.diagnostics.filter(
    ({ path: file, severity }) => severity === 'error' && path.dirname(file) === wanted,
  );
  const [first] = found;
  if (!first) return undefined;
  return {
    title: `${path.basename(wanted)} is broken`,
    main: (
      <>
        <p class="crumb">
          <Link to="/skills">Skills</Link> / <Link to={address('/skills', { state: 'broken' })}>broken</Link>
        </p>
        <h1>{path.basename(wanted) || name}</h1>
        <p class="lede">Its file cannot be read as a skill, so Lectern leaves it out.</p>
        <p class="chips">
          <Badge tone="bad">broken</Badge>
          <Badge tone="line">{places.place(first.path)}</Badge>
        </p>
        {found.map(({ code, message, fix, line }) => (
          <section class="card pad">
            <h2 class="h3">
              {places.say(message)} <code class="tiny">{code}</code>
            </h2>
            <Excerpt lines={linesAround(reader, first.path, line)} line={line} />
            <p>{places.say(fix)}</p>
            {places.catalogUrl === undefined ? (
              <p>
                <Command run={`lectern validate ${wanted}`} places={places} />
              </p>
            ) : null}
          </section>
        ))}
      </>
    ),
  };
}

const AROUND = 2;

/** The path comes from discovery, not from the caller. */
function linesAround({ disk }: Reader, file: string, line: number | undefined): [number: number, text: string][] {
  const read = tryRead(disk, file, LIMITS.skillFileBytes.value);
  if (read instanceof FileTrouble) return [];
  const lines = Buffer.from(read.bytes).toString('utf8').split('\n');
  const at = Math.max(1, line ?? 1);
  const from = Math.max(0, at - 1 - AROUND);
  return lines.slice(from, at + AROUND).map((text, index) => [from + index + 1, text.slice(0, EXCERPT_CHARACTERS)]);
}

const EXCERPT_CHARACTERS = 400;

function Excerpt({ lines, line }: { lines: readonly [number, string][]; line: number | undefined }): Html | null {
  if (lines.length === 0) return null;
  return (
    <pre class="excerpt" tabindex={0}>
      {lines.map(([number, text]) => (
        <span class={number === line ? 'here' : ''}>{`${String(number).padStart(4)}  ${text}\n`}</span>
      ))}
    </pre>
  );
}
