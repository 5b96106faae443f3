/** A file that could not be read as a skill: shows the errors instead of the text. */
import path from 'node:path';
import type { ExplainedError } from '../../../core/failure.ts';
import { quoteForBash } from '../../../core/quote-for-bash.ts';
import type { AnswerOf } from '../../../operations/perform.ts';
import { address } from '../../address.ts';
import { brokenSkill } from '../../broken-skill.ts';
import { Badge, Command, CopyNote, Link, type Html } from '../../html.tsx';
import type { PageContent, PageContext } from '../../page.ts';
import type { Here } from '../../here.ts';

type Broken = AnswerOf<typeof brokenSkill>;
type BrokenError = Broken['errors'][number];

/** Replaces the error page of a skill that was not found, if its file is broken. */
export async function showBroken(
  failure: ExplainedError,
  { values, ask, here }: PageContext,
): Promise<PageContent | undefined> {
  const { name = '', copy } = values;
  if (failure.code !== 'NOT_FOUND') return undefined;
  const named = failure.path === undefined ? undefined : path.dirname(failure.path);
  const brokenAt = async (dir: string | undefined): Promise<Broken | undefined> =>
    dir === undefined ? undefined : ask(brokenSkill, { path: dir }).catch(() => undefined);
  const atCopy = await brokenAt(copy);
  const broken = atCopy ?? (await brokenAt(named));
  if (!broken) return undefined;
  const title = path.basename(path.dirname(broken.file));
  return {
    title: `${title} is broken`,
    main: (
      <>
        <CopyNote isMissing={copy !== undefined && !atCopy} copy={copy} />
        <Broken of={broken} title={title || name} here={here} />
      </>
    ),
  };
}

function Broken({ of: { file, errors }, title, here }: { of: Broken; title: string; here: Here }): Html {
  return (
    <>
      <p class="crumb">
        <Link to="/skills">Skills</Link> / <Link to={address('/skills', { state: 'broken' })}>broken</Link>
      </p>
      <h1>{title}</h1>
      <p class="lede">Its file cannot be read as a skill, so Lectern leaves it out.</p>
      <p class="chips">
        <Badge tone="bad">broken</Badge>
        <Badge tone="line">{here.place(file)}</Badge>
      </p>
      {errors.map((error) => (
        <section class="card pad">
          <h2 class="h3">
            {here.say(error.message)} <code class="tiny">{error.code}</code>
          </h2>
          <Excerpt of={error} />
          <p>{here.say(error.fix)}</p>
          {here.can.runCommands ? (
            <p>
              <Command run={`lectern validate ${quoteForBash(path.dirname(file))}`} here={here} />
            </p>
          ) : null}
        </section>
      ))}
    </>
  );
}

function Excerpt({ of: { excerpt, line } }: { of: BrokenError }): Html | null {
  if (excerpt.length === 0) return null;
  return (
    <pre class="excerpt" tabindex={0}>
      {excerpt.map(({ number, text }) => (
        <span class={number === line ? 'here' : ''}>{`${String(number).padStart(4)}  ${text}\n`}</span>
      ))}
    </pre>
  );
}
