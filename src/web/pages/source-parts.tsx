/** What views say of a source of a shared catalog. */
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

/** `6: 2 of your own, and 4 that others share`. */
export function sourcesInWords(all: number, own: number, noun = ''): string {
  const number = noun === '' ? grouped(all) : count(all, noun);
  if (own === all) return `${number} of your own`;
  if (own === 0) return `${number} that ${all === 1 ? 'another team shares' : 'others share'}`;
  return `${number}: ${grouped(own)} of your own, and ${grouped(all - own)} that ${all - own === 1 ? 'another team shares' : 'others share'}`;
}

/** In a crumb: the source that a spec or a change is in. */
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

/** Who it was, when, and from which commit. */
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

/** As git shortens it; anything else is shown as it is. */
function shortCommit(commit: string): string {
  return /^[0-9a-f]{16,64}$/iu.test(commit) ? commit.slice(0, 10) : commit;
}
