/** One spec: purpose, requirements with their scenarios, the changes that touch them, and findings. */
import { count, grouped } from '../../core/text.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { showSpec } from '../../operations/show-spec.ts';
import { validateSpec } from '../../operations/validate-specs.ts';
import { address, anchorOf, changeAddress, specAddress } from '../address.ts';
import { Highlighted, Lede } from '../highlighted.tsx';
import { Badge, Command, Link, Sign, type Html } from '../html.tsx';
import { MARKDOWN_CHARACTERS, markdown } from '../markdown.ts';
import type { Here } from '../here.ts';
import { folderOf, idInRoot } from '../spec-ids.ts';
import { definePage, type Values } from '../page.ts';
import { OPERATIONS } from './change-parts.tsx';
import { ClauseLine } from './comparison.tsx';
import { InSource } from './source-parts.tsx';

type Spec = AnswerOf<typeof showSpec>;
type Requirement = Spec['requirements'][number];
type Head = NonNullable<Spec['heads']>[number];
type Report = AnswerOf<typeof validateSpec>;
type Finding = Report['errors'][number] & { severity: 'bad' | 'warn' | 'info' };

/** Larger specs show one line per requirement, and the text of the selected one. */
const WHOLE_MAX = 50;
const HEADS_AT_ONCE = 200;

export const specPage = definePage({
  path: '/specs/:id*',
  section: 'specs',
  twin: {
    path: '/api/spec',
    operation: showSpec,
    input: ({ id, cursor }) => ({
      spec_id: id ?? '',
      limit: WHOLE_MAX,
      ...(cursor === undefined ? {} : { cursor }),
    }),
  },
  show: async (spec, { ask, values, here }) => {
    const report = await ask(validateSpec, { spec_id: spec.id });
    const findings = findingsOf(report);
    const isLarge = spec.total > WHOLE_MAX;
    const { requirement, cursor } = values;
    const large = isLarge
      ? await ask(showSpec, {
          spec_id: spec.id,
          heads: true,
          limit: HEADS_AT_ONCE,
          ...(requirement === undefined ? {} : { requirement }),
          ...(cursor === undefined ? {} : { cursor }),
        })
      : undefined;
    return { title: spec.id, main: SpecPage({ spec, large, findings, isValid: report.valid, here, values }) };
  },
});

function findingsOf({ errors, warnings, info }: Report): Finding[] {
  return [
    ...errors.map((finding) => ({ ...finding, severity: 'bad' as const })),
    ...warnings.map((finding) => ({ ...finding, severity: 'warn' as const })),
    ...info.map((finding) => ({ ...finding, severity: 'info' as const })),
  ];
}

interface Props {
  spec: Spec;
  /** Lines of a large spec, and the selected requirement. */
  large: Spec | undefined;
  findings: readonly Finding[];
  isValid: boolean;
  here: Here;
  values: Values;
}

function SpecPage({ spec, large, findings, isValid, here, values }: Props): Html {
  const { id, title, purpose, file, root = '', requirements, total } = spec;
  const starts = (large?.heads ?? requirements).map(({ line }) => line);
  const [first = Number.POSITIVE_INFINITY] = starts;
  const within = (line: number, index: number): Finding[] =>
    findings.filter((finding) => {
      const at = finding.line ?? 0;
      return at >= line && at < (starts[index + 1] ?? Number.POSITIVE_INFINITY);
    });
  // On later pages of a large spec, findings above the first line belong to earlier pages.
  const above = values['cursor'] === undefined ? findings.filter(({ line = 0 }) => line < first) : [];
  return (
    <>
      <p class="crumb">
        <Link to="/specs">Specs</Link>
        <Within root={root} id={id} here={here} />
      </p>
      <h1>{title}</h1>
      {title === id ? null : <p class="sub path">{id}</p>}
      {purpose === '' ? null : <Lede text={purpose.slice(0, MARKDOWN_CHARACTERS)} />}
      <div class="bigbar">
        <span>
          <b>{grouped(total)}</b> {total === 1 ? 'requirement' : 'requirements'}
        </span>
        <Badge tone={isValid ? 'ok' : 'bad'}>{isValid ? 'valid' : 'invalid'}</Badge>
        {findings.length === 0 ? null : <Badge tone="warn">{count(findings.length, 'finding')}</Badge>}
      </div>
      <Findings of={above} here={here} />
      <div class="split">
        <div>
          {large ? (
            <Heads spec={large} within={within} values={values} here={here} />
          ) : (
            requirements.map((requirement, index) => (
              <RequirementCard of={requirement} findings={within(requirement.line, index)} here={here} />
            ))
          )}
          {total === 0 ? <p class="empty">This spec has no requirements.</p> : null}
        </div>
        <aside class="side" aria-label="About this spec">
          {large || total === 0 ? null : (
            <section class="card pad">
              <h2 class="h3">Requirements</h2>
              <ul class="toc">
                {requirements.map(({ name, changes }) => (
                  <li>
                    <Link to={`#${anchorOf(name)}`}>{name}</Link>
                    {changes.length === 0 ? null : (
                      <Badge tone="warn">{changes.length === 1 ? 'change' : 'overlap'}</Badge>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section class="card pad">
            <h2 class="h3">File</h2>
            <p class="path">{here.place(file)}</p>
            {here.can.runCommands ? (
              <>
                <p>
                  <Command run={`lectern spec show ${id}`} here={here} />
                </p>
                <p>
                  <Command run={`lectern spec validate ${id}`} here={here} />
                </p>
              </>
            ) : null}
          </section>
        </aside>
      </div>
    </>
  );
}

/** Breadcrumb of the source or root, and the folder, of a spec. */
function Within({ root, id, here }: { root: string; id: string; here: Here }): Html {
  const inRoot = idInRoot(id, root);
  const folder = folderOf(inRoot);
  return (
    <>
      {here.can.seeSources ? <InSource root={root} /> : inRoot === id ? null : ` / ${root}`}
      {folder === '' ? '' : ` / ${folder}`}
    </>
  );
}

function Heads({
  spec,
  within,
  values,
  here,
}: {
  spec: Spec;
  within: (line: number, index: number) => Finding[];
  values: Values;
  here: Here;
}): Html {
  const { id, heads = [], requirements, nextCursor, total } = spec;
  const [open] = requirements;
  // The selected requirement may be on another page of the list.
  const isListed = open !== undefined && heads.some(({ line }) => line === open.line);
  return (
    <>
      {open && !isListed ? <RequirementCard of={open} findings={[]} here={here} /> : null}
      <p class="small dim">Select a requirement to see its text.</p>
      <ul class="card heads lines" id="rows">
        {heads.map((head, index) => {
          const isOpen = open?.line === head.line;
          return (
            <li id={isOpen ? undefined : `h-${head.line}`} data-row>
              {isOpen && open ? (
                <RequirementCard of={open} findings={within(head.line, index)} here={here} />
              ) : (
                <HeadRow id={id} head={head} findings={within(head.line, index).length} values={values} />
              )}
            </li>
          );
        })}
      </ul>
      {nextCursor === undefined ? null : (
        <p id="more" class="more">
          <Link to={address(specAddress(id), { cursor: nextCursor })}>
            {`More requirements, from ${grouped(Number(nextCursor) + 1)} of ${grouped(total)}`}
          </Link>
        </p>
      )}
    </>
  );
}

function HeadRow({ id, head, findings, values }: { id: string; head: Head; findings: number; values: Values }): Html {
  const { name, line, scenarios, changes } = head;
  const to = address(specAddress(id), { requirement: `${name} (line ${line})`, cursor: values['cursor'] });
  return (
    <>
      <Link data-soft to={`${to}#${anchorOf(name)}`}>
        {name}
      </Link>
      {changes.length === 0 ? null : <Badge tone="warn">{changes.length === 1 ? 'change' : 'overlap'}</Badge>}
      {findings === 0 ? null : <Badge tone="warn">{count(findings, 'finding')}</Badge>}
      <span class="num">{count(scenarios, 'scenario')}</span>
    </>
  );
}

function Findings({ of, here }: { of: readonly Finding[]; here: Here }): Html {
  return (
    <>
      {of.slice(0, FINDINGS_MAX).map(({ severity, code, line, description, fix }) => (
        <div class={severity === 'bad' ? 'note bad' : 'note'}>
          <Sign of={severity === 'bad' ? 'bad' : 'warn'} />
          <div>
            <b>{description}</b>
            <div class="small dim">
              {line === undefined ? '' : `Line ${line}. `}
              {fix} <code>{code}</code>
            </div>
          </div>
        </div>
      ))}
      {of.length > FINDINGS_MAX ? (
        <p class="small">
          {here.can.seeProblems ? (
            <Link to="/problems?kind=specs">{count(of.length - FINDINGS_MAX, 'more finding')}</Link>
          ) : (
            count(of.length - FINDINGS_MAX, 'more finding')
          )}
        </p>
      ) : null}
    </>
  );
}

const FINDINGS_MAX = 10;
/** Maximum number of scenarios per requirement. The command shows the rest. */
const SCENARIOS_MAX = 60;

function RequirementCard({ of, findings, here }: { of: Requirement; findings: readonly Finding[]; here: Here }): Html {
  const { name, description, scenarios, changes, line } = of;
  return (
    <article class="card req" id={anchorOf(name)} data-row>
      <div class="req-h">
        <h2 class="h3">{name}</h2>
        {changes.map(({ change, operation }) => (
          <Link class="b warn" to={`${changeAddress(change)}`}>
            {change} {OPERATIONS[operation].verb} it
          </Link>
        ))}
        <span class="sum">line {line}</span>
      </div>
      <Findings of={findings} here={here} />
      <div class="read pad">{markdown(description.slice(0, MARKDOWN_CHARACTERS))}</div>
      {scenarios.length === 0 ? <p class="same">This requirement has no scenarios.</p> : null}
      {scenarios.slice(0, SCENARIOS_MAX).map((scenario) => (
        <div class="scn">
          <h3>{scenario.name}</h3>
          {scenario.notes === undefined ? null : (
            <p class="dim" dir="auto">
              <Highlighted text={scenario.notes} />
            </p>
          )}
          <Clauses keyword="given" texts={scenario.given} />
          <Clauses keyword="when" texts={scenario.when_clauses} />
          <Clauses keyword="then" texts={scenario.then} />
        </div>
      ))}
      {scenarios.length > SCENARIOS_MAX ? (
        <p class="same">{count(scenarios.length - SCENARIOS_MAX, 'more scenario')} in the file</p>
      ) : null}
    </article>
  );
}

function Clauses({ keyword, texts }: { keyword: string; texts: readonly string[] }): Html {
  return (
    <>
      {texts.map((text, index) => (
        <ClauseLine keyword={index === 0 ? keyword : 'and'}>
          <span class="tx" dir="auto">
            <Highlighted text={text} />
          </span>
        </ClauseLine>
      ))}
    </>
  );
}
