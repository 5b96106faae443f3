/** Explains why a repository could not be fetched. */
import { Failure } from '../core/failure.ts';
import { echo, grouped } from '../core/text.ts';
import { type FetchReason, GitTrouble } from './run-git.ts';
import { type GitSource, splitPage } from './source.ts';

const REASON_TEXTS: Record<FetchReason, string> = {
  auth: 'it needs credentials, which cannot be entered here, or it does not exist',
  'not-found': 'there is no such repository',
  ref: 'the repository has no such branch, tag or commit',
  timeout: 'the server did not answer in time',
  network: 'the server cannot be reached',
  tls: 'its certificate is not trusted, or the encrypted connection failed',
};

const HINTS: Record<FetchReason, string> = {
  auth: 'Check the spelling, and that git fetch works there: a credential helper or an SSH agent has to provide the credentials.',
  'not-found': 'Check the spelling. Start the path of a folder with a dot: ./folder.',
  ref: 'Check the part after #.',
  timeout: 'Try again, or allow more with --timeout.',
  network: 'Check the address and the network.',
  tls: 'Check the address and the certificates that git trusts.',
};

/** Runs the work. Errors of git become failures that name the source and the fix. */
export async function failing<T>(source: GitSource & { isPage?: boolean }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitTrouble)) throw error;
    const { reason } = error;
    // Before the refs are known, most branch names have one part.
    const { ref, path } = splitPage(source, 1);
    const isPage = source.isPage === true || source.refAndPath !== undefined;
    const facts = {
      ...(reason === undefined ? {} : { reason }),
      source: { url: source.url, ref, path },
      details: error.message,
    };
    if (reason === 'ref' && ref === null)
      throw new Failure(
        'FETCH_FAILED',
        `Cannot fetch ${echo(source.url)}: the repository is empty, or has no default branch.`,
        { hint: 'Name a branch, a tag or a commit: add # and its name.', facts, cause: error },
      );
    const named = `${echo(source.url)}${ref !== null && (isPage || reason === 'ref') ? `#${echo(ref)}` : ''}`;
    const below = isPage && path !== '' ? ` (${echo(path)})` : '';
    const hint =
      reason === 'ref' && isPage ? 'Check the branch, tag or commit in the address.' : reason && HINTS[reason];
    throw new Failure(
      'FETCH_FAILED',
      `Cannot fetch ${named}${below}: ${reason === undefined ? echo(error.message) : REASON_TEXTS[reason]}.`,
      { ...(hint === undefined ? {} : { hint }), facts, cause: error },
    );
  }
}

export function tooMuchFetched(url: string, max: number): Failure {
  return new Failure('TOO_LARGE', `${echo(url)} sent more than ${grouped(max)} bytes, so the fetch was stopped.`, {
    hint: 'Clone it with git, and install from that folder.',
    facts: { maxBytes: max },
  });
}
