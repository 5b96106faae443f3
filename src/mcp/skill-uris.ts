/** `skill://<provider>[/<plugin>]/<name>/<file>`: which skill a URI means. URIs are compared as they stand, never decoded into paths. */
import { compareText } from '../core/text.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import type { SkillCatalog } from '../skills/catalog.ts';
import type { Snapshot } from '../workspace/workspace.ts';

export const SKILL_SCHEME = 'skill://';

export interface AddressedSkill {
  /** The URI of the skill's folder, without a slash at its end. */
  root: string;
  skill: Skill;
}

const indexes = new WeakMap<SkillCatalog, ReadonlyMap<string, AddressedSkill>>();

/** Every skill that its full name leads to, by the URI of its folder, in the order of the URIs. */
export function addressedSkills(snapshot: Snapshot): ReadonlyMap<string, AddressedSkill> {
  const catalog = snapshot.view();
  const known = indexes.get(catalog);
  if (known) return known;
  const addressed = catalog.skills.filter((skill) => {
    const found = catalog.find(fullNameOf(skill));
    return found.kind === 'found' && found.skill === skill;
  });
  const entries = addressed.map((skill): [string, AddressedSkill] => [rootUri(skill), { root: rootUri(skill), skill }]);
  const index = new Map(entries.sort(([a], [b]) => compareText(a, b)));
  indexes.set(catalog, index);
  return index;
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

/** As URLs write it themselves, so that a URI comes back from a client as it went out. */
export function encodeSegment(segment: string): string {
  if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E');
  return segment.toWellFormed().replace(/[^\w!$&'()*+,.:;=@[\]|~-]/gu, (character) => encodeURIComponent(character));
}

/** The skill whose folder holds a URI. Of a skill and one of a plugin that share the beginning, the longer one is meant. */
export function findByUri(snapshot: Snapshot, uri: string): AddressedSkill | undefined {
  const index = addressedSkills(snapshot);
  const segments = uri.startsWith(SKILL_SCHEME) ? uri.slice(SKILL_SCHEME.length).split('/') : [];
  for (const length of [3, 2]) {
    const found = segments.length >= length ? index.get(SKILL_SCHEME + segments.slice(0, length).join('/')) : undefined;
    if (found) return found;
  }
  return undefined;
}
