import { createHash } from 'node:crypto';
import type { Level } from '../../core/diagnostics.ts';
import { LIMITS } from '../../core/limits.ts';
import { type Hit, type ScannedSkill, scanRule, type Unread } from '../rule.ts';
import { isSkillPath } from '../../skills/skill.ts';

export const contentOpaque = scanRule({
  code: 'content-opaque',
  category: 'opaque-content',
  level: 'high',
  nature: 'fact',
  title: 'Content that cannot be looked into',
  about: `Compiled programs, archives, links out of the skill and files over ${LIMITS.scannedFileBytes.value / 1024 / 1024} MiB can hide anything, so the scan is partial. A skill inside a skill is found by some agents and not by others.`,
  fix: 'Replace it by source text, or look at it by other means before you trust the skill.',
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
        yield { path, level: 'medium', line: 1, message: 'a skill inside the skill, which some agents load too' };
  },
});

function* findBinaries({ binaries }: ScannedSkill): Iterable<Hit> {
  for (const { path, kind, name, bytes } of binaries) {
    if (kind === 'media') continue;
    const level = kind === 'program' ? 'high' : kind === 'archive' ? 'medium' : 'low';
    const hash = createHash('sha256').update(bytes).digest('hex');
    const evidence = `${bytes.length} bytes, sha256 ${hash}`;
    yield { path, level, message: `${name}, which the scan cannot look into`, evidence };
  }
}

const UNREAD: Readonly<Record<Unread, readonly [Level, string]>> = {
  'link-outside': ['high', 'a link that leads out of the skill'],
  'link-dangling': ['medium', 'a link that leads nowhere on this machine, and perhaps somewhere on another'],
  'too-large': ['medium', `larger than ${LIMITS.scannedFileBytes.value / 1024 / 1024} MiB, so it was not scanned`],
  unreadable: ['medium', 'could not be read, so it was not scanned'],
  'left-out': ['medium', 'was not scanned, because it does not belong to the skill'],
};

function* findUnread({ unread }: ScannedSkill): Iterable<Hit> {
  for (const { path, reason, detail } of unread) {
    const [level, message] = UNREAD[reason];
    // The history of a repository is nothing that an agent reads.
    const isHistory = reason === 'left-out' && /(?:^|\/)\.git$/u.test(path);
    yield { path, level: isHistory ? 'low' : level, message: detail === undefined ? message : `${message}: ${detail}` };
  }
}
