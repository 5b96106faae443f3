/** One source of a shared catalog and its history. */
import { count, grouped } from '../../core/text.ts';
import type { AnswerOf } from '../../operations/perform.ts';
import { type ReadHistory, sourceHistory } from '../catalog/source-history.ts';
import { address, sourceAddress } from '../address.ts';
import { Badge, Command, Link, SectionHead, type Html, Sign } from '../html.tsx';
import type { Here } from '../here.ts';
import { definePage, type Page } from '../page.ts';
import { inWords, size } from '../words.ts';
import { By, contentInWords } from './source-parts.tsx';

type History = AnswerOf<ReturnType<typeof sourceHistory>>;
type Version = History['versions'][number];

export function sourcePage(readHistory: ReadHistory): Page {
  return definePage({
    path: '/sources/:team/:name',
    section: 'sources',
    twin: {
      path: '/api/sources/:team/:name',
      operation: sourceHistory(readHistory),
      input: ({ team, name, cursor }) => ({ team, name, cursor }),
    },
    show: (history, { values, here }) => ({
      title: history.source,
      main: Source({ history, isFirst: values['cursor'] === undefined, here }),
    }),
  });
}

function Source({ history, isFirst, here }: { history: History; isFirst: boolean; here: Here }): Html {
  const { source, own, version, versions, unreadable = false, nextCursor } = history;
  return (
    <>
      <p class="crumb">
        <Link to="/sources">Sources</Link> / {source.slice(0, source.indexOf('/'))}
      </p>
      <h1>{source}</h1>
      <p class="lede">{sentenceOf(contentInWords(history))}</p>
      <p class="chips">
        <Badge tone={own ? 'ok' : ''}>{own ? 'your team' : 'shared with you'}</Badge>
        {history.skills === 0 ? null : (
          <Link class="b acc" to={address('/skills', { source })}>
            {count(history.skills, 'skill')}
          </Link>
        )}
      </p>
      <div class="split">
        <div>
          <section aria-labelledby="history">
            <SectionHead
              id="history"
              title="History"
              more={isFirst ? undefined : <Link to={sourceAddress(source)}>Newest versions</Link>}
            />
            {unreadable ? (
              <div class="note">
                <Sign of="warn" />
                <div>
                  <b>The history is unavailable</b>
                  <div class="small dim">The database is not responding. Skills and specs are not affected.</div>
                </div>
              </div>
            ) : versions.length === 0 ? (
              <p class="empty">Nothing has been published yet.</p>
            ) : (
              <ol class="card rows lines" id="rows">
                {versions.map((each) => (
                  <VersionRow of={each} isCurrent={each.number === version} />
                ))}
              </ol>
            )}
            {nextCursor === undefined ? null : (
              <p class="fold" id="more">
                <Link to={address(sourceAddress(source), { cursor: nextCursor })}>Older versions</Link>
              </p>
            )}
          </section>
        </div>
        <aside class="side" aria-label="About this source">
          <Now of={history} />
          {own && version > 0 ? <Commands of={history} here={here} /> : null}
        </aside>
      </div>
    </>
  );
}

/** Read from memory, so it is available without the database. */
function Now({ of }: { of: History }): Html {
  const { version, published, files, bytes } = of;
  return (
    <section class="card pad">
      <h2 class="h3">Served now</h2>
      <dl class="facts">
        <dt>Version</dt>
        <dd>{version === 0 ? 'none yet' : grouped(version)}</dd>
        {published === undefined ? null : (
          <>
            <dt>Published</dt>
            <dd>
              <time datetime={published.at}>{published.at.slice(0, 16).replace('T', ' ')} UTC</time>
            </dd>
            <dt>By</dt>
            <dd>{published.actor}</dd>
            <dt>Commit</dt>
            <dd class={published.commit === undefined ? undefined : 'path'}>{published.commit ?? 'not recorded'}</dd>
          </>
        )}
        <dt>Content</dt>
        <dd>
          {count(files, 'file')}, {size(bytes)}
        </dd>
      </dl>
    </section>
  );
}

/** Commands for publishers. */
function Commands({ of: { source, versions, version }, here }: { of: History; here: Here }): Html {
  const earlier = versions.find(({ number, pruned }) => number < version && pruned !== true);
  return (
    <section class="card pad">
      <h2 class="h3">Commands for publishers</h2>
      <p>
        <Command run={`lectern publish . --source ${source} --url ${here.catalogUrl}`} here={here} />
      </p>
      {earlier === undefined ? null : (
        <>
          <p>
            <Command run={`lectern rollback ${source} --to ${earlier.number} --url ${here.catalogUrl}`} here={here} />
          </p>
          <p class="tiny dim">republishes the files of version {earlier.number}</p>
        </>
      )}
    </section>
  );
}

function VersionRow({ of, isCurrent }: { of: Version; isCurrent: boolean }): Html {
  const { number, action, restored, pruned = false } = of;
  return (
    <li id={`v-${number}`} data-row>
      <div>
        <b>Version {grouped(number)}</b> {isCurrent ? <Badge tone="ok">served now</Badge> : null}{' '}
        {action === 'rollback' ? (
          <Badge tone="warn">{restored === undefined ? 'rollback' : `rollback to ${grouped(restored)}`}</Badge>
        ) : null}{' '}
        {pruned ? <Badge>pruned, cannot be restored</Badge> : null}
      </div>
      <Ops of={of} />
      <p class="d">{changesInWords(of)}</p>
      <p class="src">
        <By of={of} />
      </p>
    </li>
  );
}

/** Repeats the counts as symbols, to compare versions at a glance. */
function Ops({ of: { added, changed, removed } }: { of: Version }): Html {
  return (
    <span class="ops" aria-hidden="true">
      {added === 0 ? null : <span class="op-a">+{added} </span>}
      {changed === 0 ? null : <span class="op-m">~{changed} </span>}
      {removed === 0 ? null : <span class="op-r">−{removed}</span>}
    </span>
  );
}

function changesInWords({ added, changed, removed, skipped = 0 }: Version): string {
  const parts = [
    ...(added === 0 ? [] : [`${count(added, 'file')} added`]),
    ...(changed === 0 ? [] : [`${count(changed, 'file')} changed`]),
    ...(removed === 0 ? [] : [`${count(removed, 'file')} removed`]),
    ...(skipped === 0 ? [] : [`${count(skipped, 'skill')} left out`]),
  ];
  return parts.length === 0 ? 'No file changed.' : `${inWords(parts)}.`;
}

function sentenceOf(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
