import { sha256Of } from '../../core/sha256.ts';
import type { Level } from '../../core/diagnostics.ts';
import { LIMITS } from '../../core/limits.ts';
import { type Hit, type ScannedSkill, scanRule, type Unread } from '../rule.ts';
import { isSkillPath } from '../../skills/skill.ts';

export const contentOpaque = scanRule({
  code: 'content-opaque',
  category: 'opaque-content',
  level: 'high',
  nature: 'fact',
  title: 'Content that cannot be checked',
  about: `Compiled programs, archives, links to places outside the skill and files over ${LIMITS.scannedFileBytes.value / 1024 / 1024} MiB can hide anything, so the scan is partial. A skill inside a skill is found by some agents and not by others.`,
  fix: 'Replace it with source text, or check it by other means before you trust the skill.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/forms/SKILL.md': 'name: forms' },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/forms/README.md': 'How the forms are named.' },
  *find(skill) {
    yield* findBinaries(skill);
    yield* findUnread(skill);
    for (const { path } of skill.texts)
      if (
        isSkillPath(path) &&
        path.includes('/') &&
        skill.texts.some((other) => isSkillPath(other.path) && !other.path.includes('/'))
      )
        yield {
          path,
          level: SAMPLES.test(path) ? 'low' : 'medium',
          line: 1,
          message: 'a skill inside the skill, which some agents also load',
        };
  },
});

/** Folders whose skills are examples. */
const SAMPLES = /(?:^|\/)(?:assets|templates?|fixtures|examples?|samples?|tests?|testdata|references|evals?)\//iu;

function* findBinaries({ binaries }: ScannedSkill): Iterable<Hit> {
  for (const { path, kind, name, bytes } of binaries) {
    if (kind === 'media') continue;
    const level = kind === 'program' ? 'high' : kind === 'archive' ? 'medium' : 'low';
    const hash = sha256Of(bytes);
    const evidence = `${bytes.length} bytes, sha256 ${hash}`;
    yield { path, level, message: `${name}, which the scan cannot check`, evidence };
  }
}

const UNREAD: Readonly<Record<Unread, readonly [Level, string]>> = {
  'link-outside': ['high', 'a link to a place outside the skill'],
  'link-dangling': ['medium', 'a link that is broken on this machine but may work on another'],
  'too-large': ['medium', `larger than ${LIMITS.scannedFileBytes.value / 1024 / 1024} MiB, so it was not scanned`],
  unreadable: ['medium', 'could not be read, so it was not scanned'],
  'left-out': ['medium', 'was not scanned, because it does not belong to the skill'],
};

function* findUnread({ unread }: ScannedSkill): Iterable<Hit> {
  for (const { path, reason, detail } of unread) {
    const [level, message] = UNREAD[reason];
    // Agents do not read the history of a repository.
    const isHistory = reason === 'left-out' && /(?:^|\/)\.git$/u.test(path);
    yield { path, level: isHistory ? 'low' : level, message: detail === undefined ? message : `${message}: ${detail}` };
  }
}
