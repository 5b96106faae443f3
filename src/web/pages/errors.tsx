/** Error pages: the message and the next step. */
import type { ExplainedError } from '../../core/failure.ts';
import { Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';

/** `addressOf` returns the page of a suggested name. */
export function ErrorPage({
  error,
  here,
  addressOf,
}: {
  error: ExplainedError;
  here: Here;
  addressOf: (name: string) => string;
}): Html {
  const { message, suggestions = [], path, line } = error;
  // Commands would run on the reader's machine instead of the shared catalog.
  const isOfMachine = !here.can.runCommands && error.hint?.includes('lectern ');
  const hint = isOfMachine ? undefined : error.hint;
  return (
    <>
      <h1>{error.code === 'INTERNAL' ? 'Something went wrong' : 'That did not work'}</h1>
      <p class="lede">{here.say(message)}</p>
      {suggestions.length > 0 ? (
        <p class="lede">
          Did you mean{' '}
          {suggestions.map((name, index) => (
            <>
              {index === 0 ? '' : index === suggestions.length - 1 ? ' or ' : ', '}
              <Link to={addressOf(name)}>{name}</Link>
            </>
          ))}
          ?
        </p>
      ) : hint === undefined ? null : (
        <p class="lede">{here.say(hint)}</p>
      )}
      {path === undefined ? null : (
        <p class="path">
          {here.place(path)}
          {line === undefined ? '' : `:${line}`}
        </p>
      )}
    </>
  );
}

export function NothingHere({ near }: { near: readonly string[] }): Html {
  return (
    <>
      <h1>Page not found</h1>
      <p class="lede">
        {near.length === 0 ? (
          <>
            Start from the <Link to="/">Overview</Link>, or search.
          </>
        ) : (
          <>
            Did you mean{' '}
            {near.map((path, index) => (
              <>
                {index === 0 ? '' : ' or '}
                <Link to={path}>{path}</Link>
              </>
            ))}
            ? Otherwise start from the <Link to="/">Overview</Link>, or search.
          </>
        )}
      </p>
    </>
  );
}
