/** The text and the files of a published skill. */
import path from 'node:path/posix';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { echo } from '../core/text.ts';
import type { Skill } from '../skills/skill.ts';
import type { SkillContent } from '../workspace/skill-content.ts';
import type { SharedSource } from './shared-source.ts';

/** If a content is missing here, it is waited for once. */
export function publishedContent(
  { workspace, findFile }: SharedSource,
  skill: Skill,
  arrived: (() => Promise<boolean>) | undefined,
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
      // Nothing that a caller has permissions for.
      throw new Failure(
        'UNREADABLE',
        `The catalog cannot fetch what skill '${echo(skill.name)}' needs at the moment.`,
        {
          hint: 'Try again later.',
          cause: error,
        },
      );
    }
  };
  return {
    bytes: () => twice(() => content.bytes()),
    whole: (deadline) => twice(() => content.whole(deadline)),
    size: () => content.size(),
    files: () => content.files(),
    read: (file, offset, length) => twice(() => content.read(file, offset, length)),
    // Known since it was published, so nothing has to be read.
    async sha256(file) {
      const found = findFile(path.join(skill.dir, file));
      return found && found.size <= LIMITS.bundledFileBytes.value ? found.sha256 : undefined;
    },
  };
}
