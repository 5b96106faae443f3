/** One skill: the agents that see this copy, skills of the same name, its text, its files and its findings. */
import path from 'node:path';
import { isListed } from '../../../agents/status.ts';
import { count } from '../../../core/text.ts';
import { showSkill } from '../../../operations/show-skill.ts';
import { address, skillFileAddress, whyAddress } from '../../address.ts';
import { listSources, type SourceFacts } from '../../catalog/list-sources.ts';
import { Lede } from '../../highlighted.tsx';
import { Badge, Command, CopyNote, Link, SectionHead, type Html, Sign } from '../../html.tsx';
import { MARKDOWN_CHARACTERS } from '../../markdown.ts';
import { definePage, type PageContext } from '../../page.ts';
import type { Here } from '../../here.ts';
import { STATUS_LOOKS, StatusMark } from '../../status.tsx';
import { size } from '../../words.ts';
import { showBroken } from './broken.tsx';
import { Findings, Scan, ScanBadge } from './findings.tsx';
import { OtherVersion, SameName } from './same-name.tsx';
import type { Details, Shown } from './shown.ts';
import { Side } from './side.tsx';
import { Body, Diff } from './text.tsx';

export const skillPage = definePage({
  path: '/skills/:name',
  section: 'skills',
  twin: {
    path: '/api/skill',
    operation: showSkill,
    input: ({ name, copy, full, from = '0', with: other }) => ({
      name,
      copy,
      full,
      from: Math.max(0, Number.parseInt(from, 10) || 0),
      characters: MARKDOWN_CHARACTERS,
      with: other === '' ? undefined : other,
    }),
  },
  show: async (details, context) => {
    const { here, values } = context;
    const source = await sourceOf(details.source, context);
    const copy = details.source === undefined ? here.copyOf(details.fullName, details.path) : values['copy'];
    return {
      title: details.name,
      main: (
        <>
          <CopyNote isMissing={details.copyMissing} copy={values['copy']} />
          <SkillPage details={details} copy={copy} source={source} here={here} />
        </>
      ),
    };
  },
  failed: showBroken,
});

async function sourceOf(name: string | undefined, { ask }: PageContext): Promise<SourceFacts | undefined> {
  if (name === undefined) return undefined;
  return (await ask(listSources, { query: name })).sources.find(({ source }) => source === name);
}

function SkillPage(shown: Shown): Html {
  const { details, copy, here } = shown;
  const { fullName, disabled, comparison, scan, findings = [] } = details;
  return (
    <>
      <Head {...shown} />
      <div class="split">
        <div>
          {disabled ? <Disabled details={details} here={here} /> : null}
          <SeenBy details={details} here={here} />
          <SameName {...shown} />
          {comparison === undefined ? null : (
            <section aria-labelledby="compared">
              <SectionHead id="compared" title={`Compared with ${here.place(comparison.path)}`} />
              <Diff text={comparison.diff} here={here} />
            </section>
          )}
          <section aria-labelledby="text">
            <SectionHead
              id="text"
              title="Text"
              note={`${count(details.lines, 'line')}, ${size(details.bytes)}`}
              more={<Link to={skillFileAddress(fullName, path.basename(details.file), copy)}>Source</Link>}
            />
            <Body details={details} copy={copy} />
          </section>
          <Findings diagnostics={findings} here={here} />
          <Scan scan={scan} here={here} />
        </div>
        <Side {...shown} />
      </div>
    </>
  );
}

function Head(shown: Shown): Html {
  const { details, source } = shown;
  const { name, description, provider, location, disabled } = details;
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
        <Lede text={written(details) ?? description} />
      </div>
      <Badges {...shown} />
    </>
  );
}

/** The description as written. On one line, it has lost the characters that reorder text, which the page marks instead. */
function written({ frontmatter }: Details): string | undefined {
  const { description } = frontmatter;
  return typeof description === 'string' ? description.trim() : undefined;
}

function Badges({ details, source, here }: Shown): Html {
  const { fullName, location, disabled, shadowedBy, scan, findings = [], sameName = [] } = details;
  const problems = findings.filter(({ severity }) => severity !== 'info').length;
  const usedBy = source || sameName.length < 2 ? undefined : sameName[0]?.agents;
  return (
    <p class="chips">
      <Badge tone="line">{fullName}</Badge>
      {source ? null : <Badge tone="line">{location}</Badge>}
      {disabled ? <Badge>disabled</Badge> : null}
      {problems === 0 ? (
        <Badge tone="ok">valid</Badge>
      ) : (
        <Link class="b warn" to="#findings">
          {count(problems, 'finding')}
        </Link>
      )}
      {sameName.length > 1 ? (
        <Link class="b" to="#copies">
          {source ? `${sameName.length} of this name` : count(sameName.length, 'copy', 'copies')}
        </Link>
      ) : null}
      <OtherVersion file={shadowedBy} usedBy={usedBy} here={here} />
      <ScanBadge scan={scan} />
    </p>
  );
}

function Disabled({ details, here }: { details: Details; here: Here }): Html {
  return (
    <div class="note">
      <Sign of="warn" />
      <div>
        It is disabled{details.disabledBy === undefined ? '' : ` by ${details.disabledBy}`}, so no agent loads it.
      </div>
      {here.can.runCommands ? <Command run={`lectern enable ${details.fullName}`} here={here} /> : null}
    </div>
  );
}

/** The verdict of each agent on this copy. */
function SeenBy({ details, here }: { details: Details; here: Here }): Html | null {
  const { seenBy = [], path: dir, fullName } = details;
  if (seenBy.length === 0) return null;
  const seen = seenBy.filter(({ status }) => isListed(status)).length;
  return (
    <section aria-labelledby="who">
      <SectionHead id="who" title="Who sees this copy" note={`${seen} of ${count(seenBy.length, 'agent')}`} />
      <ul class="card seenby">
        {seenBy.map(({ id, title, status, reason }) => (
          <li>
            <Link class="ttl h" to={whyAddress(id, fullName, here.onlyCopyOf(fullName, dir))}>
              <StatusMark status={status} />
              {title}
            </Link>
            <p>{status === 'seen' ? STATUS_LOOKS.seen.words : `${STATUS_LOOKS[status].words}: ${here.say(reason)}`}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
