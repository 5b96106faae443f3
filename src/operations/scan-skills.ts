import path from 'node:path';
import { type Diagnostic, type Level, LEVELS } from '../core/diagnostics.ts';
import { choice, flag, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { Failure } from '../core/failure.ts';
import { defineOperation, InvalidInput } from './define.ts';
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

/** The capabilities of a skill, as found in its files. */
const CAPABILITIES = {
  item: text('Full name of the skill'),
  languages: list(text(), 'Languages of its programs'),
  programs: list(text(), 'Files that look executable'),
  hosts: list(text(), 'Hosts that its programs and commands name'),
  reads: list(text(), 'Files outside the skill that programs and commands name'),
  writes: list(text(), 'Files outside the skill that they write'),
  packages: list(text(), 'Packages that they install'),
  tools: list(text(), 'Tools that the skill asks for'),
} as const;

const output = {
  command: choice(['scan']),
  findings: list(object(FINDING), 'Most dangerous first within a skill'),
  scanned: object({ skills: integer(), files: integer(), bytes: integer() }),
  partial: flag('Set if something could not be scanned, so the result is incomplete'),
  notScanned: list(object({ file: text(), reason: text() })),
  suppressed: integer('Number of findings in the baseline'),
  failed: flag('Whether a finding reaches the level of --fail-on'),
  capabilities: optional(list(object(CAPABILITIES), 'With capabilities: what each skill can do')),
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
    reason: {
      type: 'text',
      filled: true,
      placeholder: 'text',
      help: 'With --write-baseline: why the new findings are accepted',
    },
    expires: {
      type: 'text',
      filled: true,
      placeholder: 'date',
      help: 'With --write-baseline: report the new findings again after this day, such as 2027-01-31',
    },
    capabilities: {
      type: 'flag',
      default: false,
      help: 'Also list what each skill can do: scripts, hosts, files, packages and tools',
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
      ['lectern scan pdf --capabilities', 'also list the hosts, files and packages that the skill uses'],
      ['lectern scan --write-baseline scan.json', 'save the current findings as a baseline'],
      ['lectern scan --baseline scan.json --sarif > scan.sarif', 'report only new findings, for code scanning'],
    ],
  },
  library: 'scan',
  hasErrors: ({ failed }) => failed,
  async run(input, workspace: Workspace) {
    const { target, failOn, baseline, writeBaseline, reason, expires, capabilities, dryRun } = input;
    const [{ skillFolders }, { scanFolders }, { Baseline, DAY }] = await Promise.all([
      import('../workspace/skill-files.ts'),
      import('./scan-folders.ts'),
      import('./scan-baseline.ts'),
    ]);
    if (expires !== undefined && !DAY.test(expires))
      throw new InvalidInput('expires', 'must be a day, such as 2027-01-31');
    if (writeBaseline === undefined && (reason ?? expires) !== undefined)
      throw new Failure('USAGE', '--reason and --expires belong to --write-baseline.');
    const { projectDir } = workspace.options;
    const at = (file: string): string => path.resolve(projectDir, file);
    // Read before the scan, so that a wrong path fails immediately.
    const known = baseline === undefined ? undefined : Baseline.read(workspace, at(baseline));
    const scan = await scanFolders(await skillFolders(workspace, target), capabilities);
    const written =
      writeBaseline === undefined
        ? undefined
        : Baseline.of(workspace, at(writeBaseline), scan.findings, { reason, expires });
    if (!dryRun) written?.write();
    const today = new Date().toISOString().slice(0, 10);
    const shown = scan.findings.filter((found) => !known?.takes(found, today) && !written);
    return {
      command: 'scan' as const,
      findings: shown.map(({ item, diagnostic }) => findingOf(item, diagnostic)),
      scanned: { skills: scan.skills, files: scan.files, bytes: scan.bytes },
      partial: scan.notScanned.length > 0,
      notScanned: scan.notScanned,
      suppressed: scan.findings.length - shown.length,
      failed: shown.some(({ diagnostic: { level = 'info' } }) => reaches(level, failOn)),
      ...(capabilities ? { capabilities: scan.capabilities } : {}),
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
