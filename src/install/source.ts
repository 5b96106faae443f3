/**
 * Parses a source. All checks run before git starts: schemes that could run a program, and anything that git could interpret as
 * an option, are refused.
 */
import path from 'node:path';
import { Failure } from '../core/failure.ts';
import { isLoopback } from '../core/loopback.ts';
import { echo } from '../core/text.ts';

export interface GitSource {
  type: 'git';
  url: string;
  /** Branch, tag or commit. Null for the default branch. */
  ref: string | null;
  /** Path in the repository, with forward slashes. Empty for the whole repository. */
  path: string;
  /** Combined ref and path from the URL of a web page, because branch names may contain slashes. */
  refAndPath?: string;
}

export interface LocalSource {
  type: 'local';
  /** Folder as given, relative to the working folder, or `~/…`. */
  dir: string;
  path: string;
}

export type Source = GitSource | LocalSource;

export interface SourceOptions {
  /** Overrides the path in the source. */
  path?: string | undefined;
  allowFile?: boolean | undefined;
}

const SHORTHAND = /^(?<owner>[A-Za-z0-9][\w.-]*)\/(?<repo>[\w.-]+)(?:\/(?<path>[^#]*))?(?:#(?<ref>.*))?$/su;
const SCP = /^(?:(?<user>[\w.-]+)@)?(?<host>[A-Za-z0-9][\w.-]*):(?!\/\/)(?<path>[^#]+?)(?:#(?<ref>.*))?$/su;
const LOCAL = /^(?:\.{1,2}(?:[\\/]|$)|[\\/]|~(?:[\\/]|$)|[A-Za-z]:[\\/])/u;

export function parseSource(text: string, options: SourceOptions = {}): Source {
  // oxlint-disable-next-line no-control-regex -- Matches control characters on purpose.
  if (/[\u0000-\u001f\u007f]/u.test(text)) throw refused(text, 'it has control characters');
  if (text.startsWith('-')) throw refused(text, 'it looks like an option');
  const asked = options.path === undefined ? undefined : innerPath(options.path, text);
  if (LOCAL.test(text)) return { type: 'local', dir: text, path: asked ?? '' };
  const source = /^[A-Za-z][\w+.-]*:\/\//u.test(text)
    ? fromUrl(text, options)
    : text.includes('::')
      ? undefined
      : (fromShorthand(text) ?? fromScp(text));
  if (!source) {
    if (text.includes('::')) throw refused(text, 'git would start a program for it');
    throw new Failure('USAGE', `"${echo(text)}" is not a source.`, {
      hint: `Use owner/repo, a git URL, or a folder such as ./${echo(text.replace(/^[\\/]+/u, ''))}.`,
    });
  }
  checkRef(source.ref, text);
  if (asked === undefined) return source;
  // If a path is given, the whole rest of a page URL is the ref.
  const { refAndPath, ...rest } = source;
  return { ...rest, ...(refAndPath === undefined ? {} : { refAndPath }), path: asked };
}

function fromShorthand(text: string): GitSource | undefined {
  const groups = SHORTHAND.exec(text)?.groups;
  if (!groups) return undefined;
  const { owner = '', repo = '', path: below = '', ref } = groups;
  if (repo === '.' || repo === '..') throw refused(text, 'its repository has no name');
  return {
    type: 'git',
    url: `https://github.com/${owner}/${repo.replace(/\.git$/u, '')}.git`,
    ref: ref || null,
    path: innerPath(below, text),
  };
}

function fromScp(text: string): GitSource | undefined {
  const groups = SCP.exec(text)?.groups;
  if (!groups) return undefined;
  const { user, host = '', path: place = '', ref } = groups;
  if (place.startsWith('-') || /\s/u.test(place)) throw refused(text, 'its path could be taken for an option');
  return { type: 'git', url: `${user === undefined ? '' : `${user}@`}${host}:${place}`, ref: ref || null, path: '' };
}

function fromUrl(text: string, { allowFile = false }: SourceOptions): GitSource {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new Failure('USAGE', `"${echo(text)}" is not a valid URL.`);
  }
  const ref = url.hash === '' ? null : decoded(url.hash.slice(1), text);
  url.hash = '';
  refuseScheme(url, text, allowFile);
  if (url.password !== '' || (url.protocol !== 'ssh:' && url.username !== ''))
    throw new Failure('REFUSED', 'The URL contains credentials, which would end up in the lock file.', {
      hint: 'Leave them out, and use a git credential helper instead.',
    });
  if (url.hostname.startsWith('-') || url.username.startsWith('-') || decoded(url.pathname, text).startsWith('/-'))
    throw refused(text, 'a part of it could be taken for an option');
  if (url.search !== '') throw refused(text, 'it has a query');
  return pageOf(url, text) ?? { type: 'git', url: url.href.replace(/\/$/u, ''), ref, path: '' };
}

function refuseScheme({ protocol, hostname }: URL, text: string, allowFile: boolean): void {
  if (protocol === 'https:' || protocol === 'ssh:') return;
  if (protocol === 'http:') {
    if (isLoopback(hostname.replace(/^\[|\]$/gu, ''))) return;
    throw new Failure('REFUSED', `"${echo(text)}" is not encrypted, so what arrives could be anybody’s.`, {
      hint: 'Use https.',
    });
  }
  if (protocol === 'file:') {
    if (allowFile) return;
    throw new Failure('REFUSED', 'Repositories on this machine are fetched only with --allow-file.', {
      hint: 'Use the path of the folder to install from its files, or add --allow-file.',
    });
  }
  throw new Failure('REFUSED', `"${echo(protocol)}" is not a scheme to install from.`, {
    hint: 'Use https or ssh, owner/repo, or a folder.',
  });
}

/** Parses the URL of a folder or file page on GitHub (`/tree/`, `/blob/`) or GitLab (`/-/tree/`, `/-/blob/`). */
function pageOf(url: URL, text: string): GitSource | undefined {
  const isGitHub = url.hostname === 'github.com' || url.hostname === 'www.github.com';
  const page = isGitHub ? gitHubPage(url.pathname) : gitLabPage(url.pathname);
  if (!page?.repo || !page.rest) return undefined;
  const refAndPath = innerPath(decoded(page.rest, text), text);
  checkRef(refAndPath, text);
  const repo = page.repo.replace(/\.git$/u, '');
  const host = isGitHub ? 'github.com' : url.host;
  return { type: 'git', url: `${url.protocol}//${host}/${repo}.git`, ref: null, path: '', refAndPath };
}

function gitHubPage(pathname: string): { repo?: string; rest?: string } | undefined {
  return /^\/(?<repo>[^/]+\/[^/]+?)\/(?:tree|blob)\/(?<rest>.+?)\/?$/u.exec(pathname)?.groups;
}

/** Repositories can be nested in any number of groups. */
function gitLabPage(pathname: string): { repo: string; rest: string } | undefined {
  const between = /\/-\/(?:tree|blob)\//u.exec(pathname);
  if (!between) return undefined;
  const rest = pathname.slice(between.index + between[0].length).replace(/\/$/u, '');
  return { repo: pathname.slice(1, between.index), rest };
}

function decoded(text: string, whole: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused(whole, 'it is not encoded correctly');
  }
}

/** Splits the ref and the path from the URL of a web page, if the ref has this many parts. */
export function splitPage(
  { ref, path: below, refAndPath }: GitSource,
  refParts: number,
): Pick<GitSource, 'ref' | 'path'> {
  if (refAndPath === undefined) return { ref, path: below };
  const parts = refAndPath.split('/');
  return { ref: parts.slice(0, refParts).join('/'), path: below || parts.slice(refParts).join('/') };
}

/** Normalizes a path inside a source. Refuses paths that lead out. */
export function innerPath(given: string, whole = given): string {
  const parts = given.split(/[\\/]/u).filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || path.win32.isAbsolute(given) || path.posix.isAbsolute(given))
    throw refused(whole, 'its path leads out of the source');
  return parts.join('/');
}

/** Git's rules for branch and tag names, which also cover commits. */
// oxlint-disable-next-line no-control-regex -- Matches control characters on purpose.
const BAD_REF = /^[-/.]|[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|[/.]$|\.lock(?:\/|$)/u;

function checkRef(ref: string | null, whole: string): void {
  if (ref !== null && (ref === '' || ref === '@' || BAD_REF.test(ref)))
    throw refused(whole, `"${echo(ref)}" cannot be the name of a branch, a tag or a commit`);
}

/** Whether a ref is a full commit ID, which can never resolve to another commit. */
export function isCommit(ref: string | null): boolean {
  return ref !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(ref);
}

function refused(text: string, why: string): Failure {
  return new Failure('REFUSED', `"${echo(text)}" is not used as a source: ${why}.`);
}
