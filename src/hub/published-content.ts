/** Text and files of a published skill. */
import path from 'node:path/posix';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import type { Skill } from '../skills/skill.ts';
import type { SkillContent } from '../workspace/skill-content.ts';
import type { LoadedTexts } from './loaded-texts.ts';
import type { SharedSource } from './shared-source.ts';

/** Caches that all sources of a replica share. */
export interface ContentCaches {
  /** Waits for running downloads of missing contents. */
  arrived?: (() => Promise<void>) | undefined;
  texts?: LoadedTexts | undefined;
}

/** Retries once after missing contents have been downloaded. */
export function publishedContent(
  { workspace, findFile }: SharedSource,
  skill: Skill,
  { arrived, texts }: ContentCaches,
): SkillContent {
  const content = workspace.contentOf(skill);
  const twice = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'UNREADABLE') throw error;
      await arrived?.();
    }
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'UNREADABLE') throw error;
      // Callers must not see the cause.
      throw new Failure('UNREADABLE', `The files of skill '${echo(skill.name)}' cannot be loaded at the moment.`, {
        hint: 'Try again later.',
        cause: error,
      });
    }
  };
  return {
    bytes: () => twice(() => content.bytes()),
    async whole(deadline) {
      const known = texts?.find(skill);
      if (known) return known;
      const whole = await twice(() => content.whole(deadline));
      texts?.add(skill, whole);
      return whole;
    },
    size: () => content.size(),
    files: () => content.files(),
    read: (file, offset, length) => twice(() => content.read(file, offset, length)),
    // Known since publication; no read is needed.
    async sha256(file) {
      const found = findFile(path.join(skill.dir, file));
      return found && found.size <= LIMITS.bundledFileBytes.value ? found.sha256 : undefined;
    },
  };
}
