/** Error pages: the message and the next step. */
import type { ExplainedError } from '../../core/failure.ts';
import { isClose } from '../../core/near.ts';
import { address } from '../address.ts';
import { Link, type Html } from '../html.tsx';
import type { Here } from '../here.ts';
import type { Section } from '../page.ts';

interface ErrorProps {
  error: ExplainedError;
  here: Here;
  section: Section;
  /** The name in the address, if it has one. */
  asked: string | undefined;
  /** Returns the page of a suggested name. */
  addressOf: (name: string) => string;
}

export function ErrorPage({ error, here, section, asked, addressOf }: ErrorProps): Html {
  const { message, path, line } = error;
  // A far-fetched name would only distract from the way back.
  const suggestions = (error.suggestions ?? []).filter(
    (name) => asked === undefined || error.code !== 'NOT_FOUND' || isClose(asked, name),
  );
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
      ) : hint === undefined || error.code === 'NOT_FOUND' ? null : (
        <p class="lede">{here.say(hint)}</p>
      )}
      <WayBack section={section} asked={error.code === 'NOT_FOUND' ? asked : undefined} />
      {path === undefined ? null : (
        <p class="path">
          {here.place(path)}
          {line === undefined ? '' : `:${line}`}
        </p>
      )}
    </>
  );
}

/** Links to the list of the section, and to a search for the name. */
function WayBack({ section, asked }: { section: Section; asked: string | undefined }): Html {
  return (
    <p class="empty">
      {section === 'overview' ? (
        <Link to="/">Overview</Link>
      ) : (
        <Link to={`/${section}`}>{section === 'search' ? 'Search' : `All ${section}`}</Link>
      )}
      {asked === undefined || asked === '' ? null : (
        <>
          {' · '}
          <Link to={address('/search', { q: asked })}>Search for “{asked}”</Link>
        </>
      )}
    </p>
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
