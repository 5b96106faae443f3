import * as z from 'zod';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostics.js';
import { Failure } from '../core/failure.js';
import { FileTrouble } from '../core/files.js';
import { LIMITS } from '../core/limits.js';
import { readBundle } from '../skills/bundle.js';
import type { Skill } from '../skills/schema.js';
import type { Workspace } from '../workspace/workspace.js';
import { defineOperation } from './define.js';
import { DiagnosticSchema, SkillSummary } from './schemas.js';
import { getSkill, summarise } from './skill-summary.js';

const PREVIEW_LINES = 20;

export const ShowSkillOutput = SkillSummary.extend({
  marketplace: z.string().optional(),
  realPath: z.string().describe('The folder with every link resolved'),
  frontmatter: z.record(z.string(), z.unknown()),
  bytes: z.int().describe('Size of SKILL.md'),
  lines: z.int().describe('Lines of SKILL.md'),
  files: z.array(z.object({ path: z.string(), bytes: z.int() })).describe('Every file of the skill, SKILL.md included'),
  filesCut: z.boolean().optional().describe('There are more files than the limit lists'),
  diagnostics: z.array(DiagnosticSchema),
  preview: z.string().describe('The beginning of the body'),
  previewCut: z.boolean(),
  content: z.string().optional().describe('The whole file, with full: true'),
});
export type ShowSkillOutput = z.output<typeof ShowSkillOutput>;

export const showSkill = defineOperation({
  name: 'show_skill',
  title: 'Show a skill',
  summary: 'Metadata, bundled files, problems and a preview of one skill.',
  input: z.strictObject({
    name: z.string().min(1).describe('Skill name, or the full name when the short one is ambiguous'),
    full: z.boolean().default(false).describe('Include the whole SKILL.md'),
  }),
  output: ShowSkillOutput,
  readOnly: true,
  async run({ name, full }, workspace) {
    const skill = getSkill(workspace, name, { disabledToo: true });
    const content = readContent(workspace, skill);
    const bundle = readBundle(workspace.files, skill);
    const lines = content.split('\n');
    const body = lines
      .slice(skill.bodyLine - 1)
      .join('\n')
      .trim();
    const bodyLines = body.split('\n');
    const diagnostics: Diagnostic[] = [...skill.diagnostics, ...bundle.diagnostics];
    return {
      ...summarise(skill, workspace.snapshot.view('all')),
      ...(skill.marketplace === undefined ? {} : { marketplace: skill.marketplace }),
      realPath: workspace.files.follow(skill.dir)?.realPath ?? skill.dir,
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
  },
});

/** The whole SKILL.md as text. */
export function readContent(workspace: Workspace, skill: Skill): string {
  try {
    return Buffer.from(workspace.readSkillFile(skill, LIMITS.skillFileBytes.value)).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileTrouble)) throw error;
    throw new Failure('UNREADABLE', `The file of skill '${skill.name}' cannot be read: ${error.reason}.`, {
      path: skill.file,
      hint: error.reason === 'missing' ? 'It was removed after the last look; run the command again.' : 'Check its permissions.',
      cause: error,
    });
  }
}
