import { anything, choice, flag, integer, list, map, object, optional, text } from '../core/fields/field.ts';
import { type Diagnostic, LEVELS, sortDiagnostics } from '../core/diagnostics.ts';
import { getCopy, getSkill, SKILL_SUMMARY, summarize } from '../workspace/skill-summary.ts';
import type { Skill } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import { STATUS, statusesByFile, surveyAgents } from './agent-shapes.ts';
import { defineOperation } from './define.ts';
import { INSTALLED, installedMarks } from './installed.ts';
import { DIAGNOSTIC } from './shapes.ts';
import { DETAIL_PARAMS, SKILL_DETAILS, skillDetails } from './skill-details.ts';

const PREVIEW_LINES = 20;

export const showSkill = defineOperation({
  name: 'show_skill',
  title: 'Show a skill',
  summary: 'Show one skill: metadata, bundled files, problems and a preview',
  params: {
    name: {
      type: 'text',
      filled: true,
      required: true,
      positional: true,
      help: 'A skill’s name, its full name if the short one is ambiguous, or its path',
    },
    full: { type: 'flag', default: false, help: 'Include the whole SKILL.md instead of 20 lines' },
    agents: {
      type: 'flag',
      default: false,
      faces: ['cli', 'library'],
      help: 'Include its status in each agent found here',
    },
    raw: { type: 'flag', default: false, faces: ['cli'], help: 'Print only the SKILL.md, byte for byte' },
    ...DETAIL_PARAMS,
  },
  output: {
    ...SKILL_SUMMARY,
    marketplace: optional(text()),
    installed: INSTALLED,
    realPath: text('The folder with every link resolved'),
    frontmatter: map(anything()),
    bytes: integer('Size of SKILL.md'),
    lines: integer('Lines of SKILL.md'),
    files: list(object({ path: text(), bytes: integer() }), 'Every file of the skill, SKILL.md included'),
    filesCut: optional(flag('Set if there are more files than the limit')),
    diagnostics: list(object(DIAGNOSTIC)),
    preview: text('The beginning of the body'),
    previewCut: flag(),
    scan: optional(
      object(
        {
          worst: optional(choice(LEVELS, 'Level of the most dangerous finding')),
          findings: list(object(DIAGNOSTIC)),
          partial: flag('Set if some content could not be scanned'),
        },
        'Findings of lectern scan',
      ),
    ),
    agents: optional(map(STATUS, 'Its status in each agent found here, with agents: true')),
    content: optional(text('The whole file, with full: true')),
    ...SKILL_DETAILS,
  },
  reads: 'skills',
  looksUp: 'name',
  settings: ['skills', 'filters'],
  collections: true,
  command: {
    name: 'show',
    aliases: ['info'],
    group: 'Look',
    completes: 'skills',
    examples: [
      ['lectern show pdf', 'use the short name'],
      ['lectern show codex:pdf --full', 'use the full name, and show the whole text'],
      ['lectern show pdf --agents', 'also show which agents see it'],
      ['lectern show pdf --raw > SKILL.md', 'copy the file'],
    ],
  },
  library: 'show',
  async run({ name, copy, full, agents = false, raw = false, ...part }, workspace, { isForPage = false }) {
    const { skill: found, isElsewhere } = getCopy(workspace, name, copy);
    const skillContent = workspace.contentOf(found);
    const { skill, bytes, text: content, body } = await skillContent.whole();
    const bundle = await skillContent.files();
    const lines = content.split('\n');
    const bodyLines = body.trim().split('\n');
    const diagnostics: Diagnostic[] = sortDiagnostics([...skill.diagnostics, ...bundle.diagnostics]);
    return {
      ...summarize(found, workspace.snapshot.view('all')),
      description: skill.description,
      ...(raw ? {} : (await installedMarks(workspace))(found.dir)),
      ...(skill.marketplace === undefined ? {} : { marketplace: skill.marketplace }),
      realPath: bundle.realDir,
      frontmatter: skill.frontmatter,
      bytes: bytes.length,
      lines: lines.length - (content.endsWith('\n') ? 1 : 0),
      files: bundle.files.map(({ path, bytes }) => ({ path, bytes })),
      ...(bundle.cut ? { filesCut: true } : {}),
      diagnostics,
      preview: bodyLines.slice(0, PREVIEW_LINES).join('\n'),
      previewCut: bodyLines.length > PREVIEW_LINES,
      ...(agents && !raw && !workspace.isShared
        ? { agents: statusesByFile(await surveyAgents(workspace))(found.file) }
        : {}),
      ...(raw ? {} : { scan: await scanned(workspace, found) }),
      ...(full || raw ? { content } : {}),
      ...(isElsewhere ? { copyMissing: true as const } : {}),
      ...(isForPage ? await skillDetails(workspace, found, { content, diagnostics, ...part }) : {}),
    };
  },
});

export async function readRawSkill(workspace: Reader, file: string): Promise<Uint8Array> {
  return (await workspace.contentOf(getSkill(workspace, file, { disabledToo: true, paths: true })).whole()).bytes;
}

async function scanned(workspace: Reader, skill: Skill) {
  const [{ skillFolder }, { scanFolders }] = await Promise.all([
    import('../workspace/skill-files.ts'),
    import('./scan-folders.ts'),
  ]);
  const { findings, notScanned } = await scanFolders([skillFolder(workspace, skill)]);
  const worst = findings[0]?.diagnostic.level;
  return {
    ...(worst === undefined ? {} : { worst }),
    findings: findings.map(({ diagnostic }) => diagnostic),
    partial: notScanned.length > 0,
  };
}
