import path from 'node:path';
import { type Diagnostic, type Level, LEVELS } from '../core/diagnostics.ts';
import { choice, flag, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { FOUND, foundIn, FORMAT } from './shapes.ts';

/** A scan finding. */
export const FINDING = {
  ...FOUND,
  category: text('Kind of danger'),
  severity: choice(LEVELS),
  item: text('Full name of the skill'),
  file: text('Same as path'),
  description: text('Same as message'),
  evidence: optional(text('Matching text of the file, with secrets masked')),
} as const;

const output = {
  command: choice(['scan']),
  findings: list(object(FINDING), 'Most dangerous first within a skill'),
  scanned: object({ skills: integer(), files: integer(), bytes: integer() }),
  partial: flag('Set if something could not be scanned, so the result is incomplete'),
  notScanned: list(object({ file: text(), reason: text() })),
  suppressed: integer('Number of findings in the baseline'),
  failed: flag('Whether a finding reaches the level of --fail-on'),
  baseline: optional(text('Path of the written baseline')),
  dryRun: optional(flag('Set if no baseline was written')),
} as const;
export type ScanOutput = ObjectOf<typeof output>;

export const scanSkills = defineOperation({
  name: 'scan_skills',
  title: 'Scan skills',
  summary: 'Look for dangerous content in skills: offline, with evidence',
  params: {
    target: {
      type: 'text',
      positional: true,
      isPath: true,
      help: 'A skill’s name, its folder or its SKILL.md, or a folder of skills; without it, all skills',
    },
    failOn: {
      type: 'choice',
      choices: [...LEVELS, 'never'],
      default: 'high',
      placeholder: 'level',
      help: 'Exit with 1 if a finding is this dangerous or more',
    },
    baseline: {
      type: 'text',
      filled: true,
      isPath: true,
      placeholder: 'file',
      help: 'Leave out the findings in this baseline file',
    },
    writeBaseline: {
      type: 'text',
      filled: true,
      isPath: true,
      placeholder: 'file',
      help: 'Save the current findings as a baseline',
    },
    dryRun: { type: 'flag', default: false, help: 'Write no baseline' },
    format: FORMAT,
  },
  output,
  reads: 'skills',
  settings: ['skills', 'filters'],
  collections: true,
  writes: 'project',
  command: {
    name: 'scan',
    group: 'Check',
    completes: 'skills',
    examples: [
      ['lectern scan', 'scan all skills; exit code 1 if a finding is high or critical'],
      ['lectern scan ./downloads/pdf --fail-on medium', 'scan a folder before you use it'],
      ['lectern scan --write-baseline scan.json', 'save the current findings as a baseline'],
      ['lectern scan --baseline scan.json --sarif > scan.sarif', 'report only new findings, for code scanning'],
    ],
  },
  library: 'scan',
  hasErrors: ({ failed }) => failed,
  async run({ target, failOn, baseline, writeBaseline, dryRun }, workspace: Workspace) {
    const [{ skillFolders }, { scanFolders }, { Baseline }] = await Promise.all([
      import('../workspace/skill-files.ts'),
      import('./scan-folders.ts'),
      import('./scan-baseline.ts'),
    ]);
    const { projectDir } = workspace.options;
    const at = (file: string): string => path.resolve(projectDir, file);
    // Read before the scan, so that a wrong path fails immediately.
    const known = baseline === undefined ? undefined : Baseline.read(workspace, at(baseline));
    const scan = await scanFolders(await skillFolders(workspace, target));
    const written = writeBaseline === undefined ? undefined : Baseline.of(workspace, at(writeBaseline), scan.findings);
    if (!dryRun) written?.write();
    const shown = scan.findings.filter((found) => !known?.takes(found) && !written);
    return {
      command: 'scan' as const,
      findings: shown.map(({ item, diagnostic }) => findingOf(item, diagnostic)),
      scanned: { skills: scan.skills, files: scan.files, bytes: scan.bytes },
      partial: scan.notScanned.length > 0,
      notScanned: scan.notScanned,
      suppressed: scan.findings.length - shown.length,
      failed: shown.some(({ diagnostic: { level = 'info' } }) => reaches(level, failOn)),
      ...(written ? { baseline: written.file } : {}),
      ...(dryRun ? { dryRun } : {}),
    };
  },
});

export function findingOf(item: string, diagnostic: Diagnostic): ObjectOf<typeof FINDING> {
  const { category = '', level = 'info', evidence } = diagnostic;
  const found = foundIn(diagnostic);
  return {
    ...found,
    category,
    severity: level,
    item,
    file: found.path,
    description: found.message,
    ...(evidence === undefined ? {} : { evidence }),
  };
}

function reaches(level: Level, failOn: Level | 'never'): boolean {
  return failOn !== 'never' && LEVELS.indexOf(level) >= LEVELS.indexOf(failOn);
}
