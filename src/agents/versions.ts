/** Compares versions of agents, and selects the rules of an installed version. */
import type { Profile } from './profile.ts';

const VERSION = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(-)?/u;

/** Whether the first version is newer. A prerelease is older than its release. False if one cannot be parsed. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)];
  if (!a || !b) return false;
  const at = a.findIndex((part, index) => part !== b[index]);
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
}

function partsOf(version: string): number[] | undefined {
  const match = VERSION.exec(version);
  if (!match) return undefined;
  const [, major, minor, patch, dash] = match;
  return [Number(major), Number(minor ?? 0), Number(patch ?? 0), dash === undefined ? 1 : 0];
}

/** Returns the profile with the rules of the installed version. Without a known version, the profile stays as it is. */
export function asInstalled(profile: Profile, installed: string | undefined): Profile {
  if (installed === undefined || profile.earlier === undefined) return profile;
  const { before, ...rules } = profile.earlier;
  return isNewer(before, installed) ? { ...profile, ...rules } : profile;
}
