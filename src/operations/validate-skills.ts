import { Failure } from '../core/failure.ts';
import { pageFrom } from '../core/cursor.ts';
import { flag, integer, object, optional } from '../core/fields/field.ts';
import { type Judged, type Report, reportOf } from '../core/report.ts';
import { PROFILES } from '../skills/rules/subject.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { DRY_RUN, YES } from './install-shapes.ts';
import { FIXES, NEXT_CURSOR, PAGE, REPORT, FORMAT, SCANNED_INFO, SHOWN } from './shapes.ts';

export const validateSkills = defineOperation({
  name: 'validate_skills',
  title: 'Validate skills',
  summary: 'Validate skills (with --all, specs and changes too)',
  params: {
    target: {
      type: 'text',
      positional: true,
      isPath: true,
      help: 'A skill’s name, its folder or its SKILL.md, or a folder of skills; without it, the skills of this project',
    },
    all: { type: 'flag', default: false, help: 'Validate all skills, specs and changes' },
    profile: {
      type: 'choice',
      choices: PROFILES,
      default: 'spec',
      help: 'Apply the rules of the specification, of an agent or of MCP',
    },
    strict: { type: 'flag', default: false, help: 'Treat warnings as errors' },
    scan: {
      type: 'flag',
      default: false,
      help: 'Add the findings of lectern scan as info; they do not change the verdict',
    },
    in: {
      type: 'list',
      of: { type: 'choice', choices: ['skills', 'specs', 'changes'] },
      placeholder: 'what',
      help: 'With --all: only skills, specs or changes',
    },
    only: {
      type: 'choice',
      choices: ['error', 'warning', 'info'],
      help: 'List only the findings of this severity; the verdict counts them all',
    },
    fix: {
      type: 'flag',
      default: false,
      faces: ['cli', 'library'],
      help: 'Repair skills without changing their meaning: quotes, fences, tabs, byte order marks',
    },
    nameFrom: {
      type: 'choice',
      choices: ['folder', 'header'],
      faces: ['cli', 'library'],
      help: 'With --fix: if the names differ, keep the folder’s name, or keep the header’s name and rename the folder',
    },
    dryRun: { ...DRY_RUN, faces: ['cli', 'library'], help: 'With --fix: show the repairs, and write nothing' },
    yes: { ...YES, faces: ['cli', 'library'], help: 'With --fix: skip confirmation (required without a terminal)' },
    watch: { type: 'flag', default: false, faces: ['cli'], help: 'Validate again whenever a file changes' },
    ...PAGE,
    ...SHOWN,
    format: FORMAT,
  },
  output: {
    ...REPORT,
    info: SCANNED_INFO,
    counts: optional(
      object({ errors: integer(), warnings: integer(), info: integer() }, 'For a partial list: totals of all findings'),
    ),
    nextCursor: NEXT_CURSOR,
    ...FIXES,
    dryRun: optional(flag('Nothing was written')),
  },
  reads: 'all',
  settings: ['skills', 'filters', 'specs'],
  collections: true,
  command: {
    name: 'validate',
    group: 'Check',
    completes: 'skills',
    examples: [
      ['lectern validate', 'validate the skills of this project'],
      ['lectern validate ./skills/pdf --strict', 'validate one folder, and fail on warnings'],
      ['lectern validate --all --profile claude', 'validate everything with Claude Code’s rules'],
      ['lectern validate --all --scan', 'also show the findings of the scan'],
      ['lectern validate --all --quiet', 'print nothing if everything is valid'],
      ['lectern validate --fix', 'repair broken headers after showing the difference'],
      ['lectern validate --fix --name-from folder --dry-run', 'show how to make the names match their folders'],
      ['lectern validate --watch', 'validate again whenever a skill changes'],
      ['lectern validate --sarif > lectern.sarif', 'write a file for code scanning'],
    ],
  },
  library: 'validate',
  async run(request, workspace: Workspace, context) {
    const { target, all, in: kinds, fix, nameFrom, dryRun, yes } = request;
    if (all && target !== undefined)
      throw new Failure('USAGE', '--all and a target cannot be combined.', { hint: 'Leave out one of the two.' });
    if (!all && kinds !== undefined)
      throw new Failure('USAGE', '--in needs --all.', { hint: 'Without --all, only skills are validated.' });
    if (!fix) {
      const lonely = nameFrom === undefined ? (dryRun ? '--dry-run' : yes ? '--yes' : undefined) : '--name-from';
      if (lonely !== undefined)
        throw new Failure('USAGE', `${lonely} needs --fix.`, { hint: 'Without --fix, nothing is written.' });
      return judge(request, workspace);
    }
    const { fixSkills } = await import('./fix-skills.ts');
    const { target: targetNow, ...fixes } = wants(kinds, 'skills')
      ? await fixSkills(workspace, { target, all, nameFrom, dryRun, yes }, context)
      : { target, fixed: [], notFixed: [] };
    const report = await judge({ ...request, target: targetNow }, workspace);
    return { ...report, ...fixes, ...(dryRun ? { dryRun } : {}) };
  },
  hasErrors: ({ valid }) => !valid,
});

type Kind = 'skills' | 'specs' | 'changes';
type Request = {
  target?: string | undefined;
  all: boolean;
  in?: Kind[] | undefined;
  profile: (typeof PROFILES)[number];
  strict: boolean;
  scan: boolean;
} & Partial<Listed>;

function wants(kinds: readonly Kind[] | undefined, kind: Kind): boolean {
  return kinds === undefined || kinds.includes(kind);
}

/** Validates without repairs. */
export async function judge(request: Request, workspace: Reader): Promise<ReturnType<typeof pageOf>> {
  const { target, all, in: kinds, profile, strict, scan, only, limit, cursor } = request;
  const scanned = scan && wants(kinds, 'skills') ? await scannedItems(workspace, target, all) : undefined;
  const listed = { only, limit, cursor };
  if (all) {
    const { judgeAll } = await import('./problems.ts');
    const { judged, others } = await judgeAll(workspace, { profile, kinds, compares: true });
    return pageOf(withScan(judged, scanned, { strict, others }), listed);
  }
  const { judgeSkills } = await import('../workspace/judge-skills.ts');
  const { judgeAs } = await import('../agents/judge.ts');
  const judgeFile = (file: string) => judgeAs(profile, workspace.disk, file);
  const skills = await judgeSkills({ target, all, profile, compares: true }, workspace, judgeFile);
  return pageOf(withScan(skills, scanned, { strict, noun: 'skill' }), listed);
}

/** Returns scan findings as items that do not affect the verdict. */
async function scannedItems(workspace: Reader, target: string | undefined, all: boolean): Promise<Scanned> {
  const [{ skillFolders }, { levelCounts, scanFolders }] = await Promise.all([
    import('../workspace/skill-files.ts'),
    import('./scan-folders.ts'),
  ]);
  const { findings, notScanned } = await scanFolders(await skillFolders(workspace, target, all));
  const found = levelCounts(findings.map(({ diagnostic }) => diagnostic.level)) || 'nothing found';
  return {
    items: findings.map(({ item, diagnostic }) => ({
      type: 'skill',
      id: item,
      diagnostics: [{ ...diagnostic, severity: 'info' }],
      unread: true,
    })),
    summary: `Scan: ${found}${notScanned.length > 0 ? ', partial' : ''}.`,
  };
}

function withScan(
  judged: readonly Judged[],
  scanned: Scanned | undefined,
  how: Parameters<typeof reportOf>[1],
): Report {
  if (!scanned) return reportOf(judged, how);
  const report = reportOf([...judged, ...scanned.items], how);
  return { ...report, summary: `${report.summary} ${scanned.summary}` };
}

interface Scanned {
  items: Judged[];
  summary: string;
}

type Severity = 'error' | 'warning' | 'info';
type Listed = { only: Severity | undefined; limit: number | undefined; cursor: string | undefined };

/** Returns a page of findings, worst first, with their items. */
function pageOf(
  report: Report,
  { only, ...page }: Listed,
): Report & { counts?: Record<'errors' | 'warnings' | 'info', number>; nextCursor?: string } {
  const { errors, warnings, info } = report;
  const counts = { errors: errors.length, warnings: warnings.length, info: info.length };
  if (only === undefined && page.limit === undefined && page.cursor === undefined) return report;
  const bySeverity = { error: errors, warning: warnings, info };
  const all = (['error', 'warning', 'info'] as const)
    .filter((severity) => only === undefined || severity === only)
    .flatMap((severity) => bySeverity[severity].map((finding) => ({ severity, finding })));
  const { page: listed, ...next } = pageFrom(all, page);
  const of = (severity: Severity): Report['errors'] =>
    listed.flatMap((each) => (each.severity === severity ? [each.finding] : []));
  const ids = new Set(listed.map(({ finding }) => finding.item));
  return {
    ...report,
    errors: of('error'),
    warnings: of('warning'),
    info: of('info'),
    items: report.items.filter(({ id }) => ids.has(id)),
    counts,
    ...next,
  };
}
