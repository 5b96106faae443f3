/** Shared parts of the pages about sources. */
import { count, grouped } from '../../core/text.ts';
import type { SourceFacts } from '../catalog/list-sources.ts';
import { ago } from '../ago.ts';
import { sourceAddress } from '../address.ts';
import { Link, type Html } from '../html.tsx';
import { sourceIn } from '../spec-ids.ts';
import { inWords, size } from '../words.ts';

/** `12 skills and 3 specs in 40 files, 81.2 KB`. */
export function contentInWords({ skills, specs, changes, files, bytes }: SourceFacts): string {
  if (files === 0) return 'nothing published yet';
  const kinds = [
    ...(skills === 0 && specs + changes > 0 ? [] : [count(skills, 'skill')]),
    ...(specs === 0 ? [] : [count(specs, 'spec')]),
    ...(changes === 0 ? [] : [count(changes, 'change')]),
  ];
  return `${inWords(kinds)} in ${count(files, 'file')}, ${size(bytes)}`;
}

/** `6 sources: 2 owned by your team, 4 shared with you`. */
export function sourcesInWords(all: number, own: number): string {
  const number = count(all, 'source');
  if (own === all) return `${number} owned by your team`;
  if (own === 0) return `${number} shared with you`;
  return `${number}: ${grouped(own)} owned by your team, ${grouped(all - own)} shared with you`;
}

/** Breadcrumb of the source that contains a spec or a change. */
export function InSource({ root }: { root: string }): Html {
  const source = sourceIn(root);
  return (
    <>
      {' / '}
      <Link to={sourceAddress(source)}>{source}</Link>
      {root.slice(source.length)}
    </>
  );
}

/** When a version was published, by whom, and from which commit. */
export function By({ of }: { of: { at: string; actor: string; commit?: string | undefined } }): Html {
  return (
    <>
      <time datetime={of.at} title={of.at}>
        {ago(Date.parse(of.at))}
      </time>{' '}
      by {of.actor}
      {of.commit === undefined ? null : (
        <>
          , commit <code title={of.commit}>{shortCommit(of.commit)}</code>
        </>
      )}
    </>
  );
}

/** Shortens git hashes, and returns other values unchanged. */
function shortCommit(commit: string): string {
  return /^[0-9a-f]{16,64}$/iu.test(commit) ? commit.slice(0, 10) : commit;
}
