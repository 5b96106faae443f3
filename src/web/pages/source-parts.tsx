/** What views say of a source of a shared catalog. */
import { count } from '../../core/text.ts';
import type { SourceFacts } from '../catalog/list-sources.ts';
import { ago } from '../ago.ts';
import type { Html } from '../html.tsx';
import { inWords, size } from '../words.ts';

/** `12 skills and 3 specs in 40 files, 81.2 KB`. */
export function contentInWords({ skills, specs, changes, files, bytes }: SourceFacts): string {
  if (files === 0) return 'nothing published yet';
  const kinds = [
    count(skills, 'skill'),
    ...(specs === 0 ? [] : [count(specs, 'spec')]),
    ...(changes === 0 ? [] : [count(changes, 'change')]),
  ];
  return `${inWords(kinds)} in ${count(files, 'file')}, ${size(bytes)}`;
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
