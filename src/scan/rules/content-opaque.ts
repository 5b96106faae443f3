import { LIMITS } from '../../core/limits.ts';
import { type Hit, type ScannedSkill, scanRule } from '../rule.ts';
import { isSkillFile } from '../text-file.ts';

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
        isSkillFile(path) &&
        path.includes('/') &&
        skill.texts.some((other) => isSkillFile(other.path) && !other.path.includes('/'))
      )
        yield { path, level: 'medium', line: 1, message: 'a skill inside the skill, which some agents load too' };
  },
});

function* findBinaries({ binaries }: ScannedSkill): Iterable<Hit> {
  for (const { path, kind, name } of binaries) {
    if (kind === 'media') continue;
    const level = kind === 'program' ? 'high' : kind === 'archive' ? 'medium' : 'low';
    yield { path, level, message: `${name}, which the scan cannot look into` };
  }
}

function* findUnread({ unread }: ScannedSkill): Iterable<Hit> {
  for (const { path, reason, detail } of unread) {
    if (reason === 'link-outside')
      yield {
        path,
        level: 'high',
        message: `a link that leads out of the skill${detail === undefined ? '' : `: ${detail}`}`,
      };
    else if (reason === 'too-large')
      yield {
        path,
        level: 'medium',
        message: `larger than ${LIMITS.scannedFileBytes.value / 1024 / 1024} MiB, so it was not scanned`,
      };
    else
      yield {
        path,
        level: 'medium',
        message: `could not be read${detail === undefined ? '' : `: ${detail}`}, so it was not scanned`,
      };
  }
}
