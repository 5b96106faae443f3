import { type Diagnostic, sortDiagnostics } from '../../core/diagnostics.ts';
import { Failure } from '../../core/failure.ts';
import { FileTrouble } from '../../core/disk/tree.ts';
import { LIMITS } from '../../core/limits.ts';
import { readBundle } from '../../skills/bundle.ts';
import type { Skill } from '../../skills/schema.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ShowSkillOutput } from '../show-skill.ts';
import { getSkill, summarize } from '../skill-summary.ts';

const PREVIEW_LINES = 20;

export async function showSkillNow(
  { name, full }: { name: string; full: boolean },
  workspace: Workspace,
): Promise<ShowSkillOutput> {
  const skill = getSkill(workspace, name, { disabledToo: true });
  const content = readContent(workspace, skill);
  const bundle = readBundle(workspace.disk, skill);
  const lines = content.split('\n');
  const body = lines
    .slice(skill.bodyLine - 1)
    .join('\n')
    .trim();
  const bodyLines = body.split('\n');
  const diagnostics: Diagnostic[] = [...skill.diagnostics, ...bundle.diagnostics];
  return {
    ...summarize(skill, workspace.snapshot.view('all')),
    ...(skill.marketplace === undefined ? {} : { marketplace: skill.marketplace }),
    realPath: workspace.disk.follow(skill.dir)?.realPath ?? skill.dir,
    frontmatter: skill.frontmatter,
    bytes: Buffer.byteLength(content),
    lines: lines.length - (content.endsWith('\n') ? 1 : 0),
    files: bundle.files.map(({ path, bytes }) => ({ path, bytes })),
    ...(bundle.cut ? { filesCut: true } : {}),
    diagnostics: sortDiagnostics(diagnostics),
    preview: bodyLines.slice(0, PREVIEW_LINES).join('\n'),
    previewCut: bodyLines.length > PREVIEW_LINES,
    ...(full ? { content } : {}),
  };
}

/** The whole SKILL.md as text. */
export function readContent(workspace: Workspace, skill: Skill): string {
  try {
    return Buffer.from(workspace.readSkillFile(skill, LIMITS.skillFileBytes.value)).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    throw new Failure('UNREADABLE', `The file of skill '${skill.name}' cannot be read: ${error.reason}.`, {
      path: skill.file,
      hint:
        error.reason === 'missing'
          ? 'It was removed after the last look; run the command again.'
          : 'Check its permissions.',
      cause: error,
    });
  }
}
