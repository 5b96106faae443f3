/** Resolves `skill://<provider>[/<plugin>]/<name>/<file>` to a skill. URIs are compared as text, never decoded into paths. */
import { compareText } from '../core/text.ts';
import { fileNameOf, fullNameOf, type Skill } from '../skills/skill.ts';
import { memoOfLists } from '../workspace/memo-of-lists.ts';
import type { Snapshot } from '../workspace/workspace.ts';

export const SKILL_SCHEME = 'skill://';

export interface AddressedSkill {
  /** URI of the skill folder, without a trailing slash. */
  root: string;
  skill: Skill;
}

/** Skills that can be found by their full name, with the URI of their folder, sorted by URI. Only one of several copies is listed. */
export const addressedSkills = memoOfLists((snapshot: Snapshot) =>
  addressed(
    snapshot,
    snapshot.view().skills.filter((skill) => snapshot.offers(skill)),
  ),
);

/** Includes every copy: unlisted copies are served too. */
const addressedCopies = memoOfLists((snapshot: Snapshot) => addressed(snapshot, snapshot.view().copies));

function addressed(snapshot: Snapshot, skills: readonly Skill[]): ReadonlyMap<string, AddressedSkill> {
  const catalog = snapshot.view();
  const named = skills.filter((skill) => {
    const found = catalog.find(fullNameOf(skill));
    return found.kind === 'found' && found.skill === skill;
  });
  const entries = named.map((skill): [string, AddressedSkill] => [rootUri(skill), { root: rootUri(skill), skill }]);
  return new Map(entries.sort(([a], [b]) => compareText(a, b)));
}

export function rootUri({
  scope,
  provider,
  plugin,
  name,
}: Pick<Skill, 'scope' | 'provider' | 'plugin' | 'name'>): string {
  const path = plugin === undefined ? [name] : [plugin, name];
  const authority = plugin === undefined ? (scope ?? provider) : provider;
  return [SKILL_SCHEME + encodeURIComponent(authority.toWellFormed()), ...path.map(encodeSegment)].join('/');
}

export function fileUri(root: string, path: string): string {
  return `${root}/${path.split('/').map(encodeSegment).join('/')}`;
}

export function manifestUri(root: string, skill: Skill): string {
  return fileUri(root, fileNameOf(skill));
}

/** Encodes like the URL parser, so that a client that parses a URI sends back the same text. */
export function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E');
  return segment.toWellFormed().replace(/[^\w!$&'()*+,.:;=@[\]|~-]/gu, (character) => encodeURIComponent(character));
}

/** Finds the skill whose folder contains a URI. If a skill and a plugin share a name, the longer URI of the plugin wins. */
export function findByUri(snapshot: Snapshot, uri: string): AddressedSkill | undefined {
  const index = addressedCopies(snapshot);
  const segments = uri.startsWith(SKILL_SCHEME) ? uri.slice(SKILL_SCHEME.length).split('/') : [];
  for (const length of [3, 2]) {
    const found = segments.length >= length ? index.get(SKILL_SCHEME + segments.slice(0, length).join('/')) : undefined;
    if (found) return found;
  }
  return undefined;
}
