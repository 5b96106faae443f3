/** Builds addresses. A name stays one path segment or one query value, whatever characters it contains. */

function segment(text: string): string {
  // A colon is allowed in a segment, and every full name has one.
  return encodeURIComponent(text.toWellFormed()).replaceAll('%3A', ':');
}

export function address(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const values = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[key, value.toWellFormed()]],
  );
  const text = new URLSearchParams(values).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** `copy` is the folder of one that the name does not load, as `Here` spells it. */
export function skillAddress(fullName: string, copy?: string, more: Readonly<Record<string, string>> = {}): string {
  return address(`/skills/${segment(fullName)}`, { copy, ...more });
}

export function skillFileAddress(fullName: string, path: string, copy?: string): string {
  return address(`/skills/${segment(fullName)}/file`, { path, copy });
}

/** A source of a shared catalog, `team/name`. */
export function sourceAddress(source: string): string {
  return `/sources/${source.split('/').map(segment).join('/')}`;
}

export function agentAddress(id: string): string {
  return `/agents/${segment(id)}`;
}

/** The page that tries a request on the list of each agent. */
export const TRY_ADDRESS = '/agents/try';

/** The page with the parts of an agent's first request. */
export function contextAddress(agent: string): string {
  return `${agentAddress(agent)}/context`;
}

/** The page that explains whether an agent sees a skill. */
export function whyAddress(agent: string, skill: string, copy?: string): string {
  return address(`/agents/${segment(agent)}/why`, { skill, copy });
}

/** Spec IDs contain slashes. */
export function specAddress(id: string): string {
  return `/specs/${id.split('/').map(segment).join('/')}`;
}

export function requirementAddress(spec: string, requirement: string): string {
  return `${address(specAddress(spec), { requirement })}#${anchorOf(requirement)}`;
}

/** The element ID of a requirement: letters and digits of any script. */
export function anchorOf(requirement: string): string {
  const words = requirement.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return ['r', ...words].join('-').slice(0, ANCHOR_CHARACTERS);
}

const ANCHOR_CHARACTERS = 120;

/** The page that compares two changes, optionally limited to one requirement that both touch. */
export function compareAddress(a: string, b: string, requirement?: string): string {
  return address('/changes/compare', { a, b, requirement });
}

export function changeAddress(id: string, part = ''): string {
  return `/changes/${segment(id)}${part === '' ? '' : `/${part}`}`;
}
