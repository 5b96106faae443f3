import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import { compareText, echo } from '../core/text.ts';
import { choice, flag, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { CHANGES, HISTORY, PUBLISHED } from '../hub/publish-answers.ts';
import type { SkippedSkill } from '../hub/plan-skills.ts';
import type { PublishClient } from '../hub/publish-client.ts';
import type { StoredFile } from '../store/catalog-store.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { CATALOG_URL, CATALOG_URL_OR_TO, clientFor, requireSourceName, WAIT, waitFor } from './catalog-server.ts';
import { defineOperation, type RunContext } from './define.ts';
import { FOUND, foundIn } from './shapes.ts';
import { ACCEPT_FINDINGS, acceptOrFail, isSerious, type ScanFinding } from './install-shapes.ts';

/** Maximum number of omitted files that are named. */
const LEFT_OUT_NAMED = 5;

/** Number of database connections of a replica, minus two for other requests. */
const UPLOADS_AT_ONCE = 4;

/** Set with `wait`. */
const REPLICAS = optional(integer('With wait: number of replicas that serve it'));

const FINDING = {
  ...FOUND,
  path: text('Path in the published folder'),
  severity: choice(['error', 'warning', 'info']),
  scan: optional(flag('Whether the scan found it')),
} as const;
type PublishFinding = ObjectOf<typeof FINDING>;

export const publish = defineOperation({
  name: 'publish',
  title: 'Publish a source',
  summary: 'Publish the skills and specs of a folder to the shared catalog',
  params: {
    dir: { type: 'text', positional: true, isPath: true, help: 'Folder to publish; the project by default' },
    source: {
      type: 'text',
      required: true,
      placeholder: 'team/name',
      help: 'Source to publish to, as team/name',
    },
    url: CATALOG_URL_OR_TO,
    commit: {
      type: 'text',
      placeholder: 'id',
      help: 'Commit for the history; by default from GITHUB_SHA, CI_COMMIT_SHA or the repository',
    },
    dry_run: { type: 'flag', default: false, help: 'Show the changes, and publish nothing' },
    allow_empty: { type: 'flag', default: false, help: 'Publish even without files, which empties the source' },
    accept_findings: ACCEPT_FINDINGS,
    invalid: {
      type: 'choice',
      choices: ['skip', 'refuse'],
      default: 'skip',
      switches: {
        '--skip-invalid': {
          value: 'skip',
          help: 'Publish every skill that loads, and report the others (the default)',
        },
        '--strict': { value: 'refuse', help: 'Publish nothing if a skill breaks a rule or cannot be published' },
      },
      help: 'Skills with errors',
    },
    wait: WAIT,
  },
  output: {
    source: text(),
    outcome: choice(['published', 'unchanged', 'planned']),
    number: integer('The new snapshot, or the current version'),
    files: integer('Number of files of the source'),
    uploaded: integer('Number of files that the catalog did not have'),
    ...CHANGES,
    findings: list(object(FINDING), 'Findings of the rules and the scan; errors stop a publication'),
    skipped: list(
      object({ name: text('Name of the skill, or of its folder'), path: text(), reason: text() }),
      'Skills that are not published because they cannot be loaded or exceed a limit',
    ),
    leftOut: optional(
      object(
        { count: integer(), first: list(text()) },
        'SKILL.md files outside the skill folders, which are not published; missing if there are none',
      ),
    ),
    omitted: optional(
      object(
        { count: integer(), first: list(object({ path: text(), reason: text() })) },
        'Omitted files in the folders of skills and specs, such as links and node_modules; missing if there are none',
      ),
    ),
    replicas: REPLICAS,
  },
  reads: 'none',
  command: {
    name: 'publish',
    group: 'Shared catalog',
    examples: [
      [
        'lectern publish . --url https://skills.example.com --source payments/skills --wait',
        'publish from CI, with LECTERN_PUBLISH_TOKEN',
      ],
      ['lectern publish --source payments/skills --dry-run', 'show the added, changed and removed files'],
      ['lectern publish --source payments/skills --strict', 'publish nothing if a skill has an error'],
    ],
  },
  async run({ dir, source, url, commit, dry_run, wait, allow_empty, accept_findings, invalid }, workspace, context) {
    const client = await clientFor(url, workspace, context);
    await requireSourceName(source);
    const opened = await openFolder(path.resolve(workspace.options.projectDir, dir ?? '.'), workspace);
    const { files, contents, omitted, skipped: unfit } = await (await import('../hub/collect.ts')).collect(opened);
    const { ruled, skipped, errors } = await judge(opened, { files, unfit, isStrict: invalid === 'refuse' });
    const isEmpty = files.length === 0 && !allow_empty;
    const problems = isEmpty ? [...errors, ...skipped.map(problemOf)] : errors;
    if (!dry_run) (await import('../hub/manifest.ts')).refuseProblems([...new Set(problems)]);
    if (isEmpty && problems.length === 0) {
      throw new Failure('REFUSED', `There is nothing to publish in ${echo(opened.options.projectDir)}.`, {
        hint: 'Check the folder. To remove everything from the source, use --allow-empty.',
      });
    }
    const scanned = await scan(opened);
    if (!dry_run && !accept_findings) await acceptOrFail(scanned, { findings: scanned }, context, 'published');
    const broken = new Set([...ruled, ...skipped].map(({ path: place }) => place));
    const { leftOut } = await import('../hub/left-out.ts');
    const unpublished = (await leftOut(opened, files)).map(within(opened)).filter((place) => !broken.has(place));
    const { base, missing, ...changes } = await client.check(source, files);
    const told = {
      source,
      files: files.length,
      skipped,
      findings: [
        ...(isEmpty ? asErrors(ruled, skipped) : ruled),
        ...scanned.map((found) => asAdvice(found, accept_findings || !dry_run)),
      ],
      ...(unpublished.length === 0 ? {} : { leftOut: firstOf(unpublished) }),
      ...(omitted.length === 0 ? {} : { omitted: firstOf(omitted) }),
    };
    if (dry_run) return { ...told, outcome: 'planned' as const, number: base, uploaded: 0, ...changes };
    await uploadAll(
      client,
      missing.map((sha256) => contents.get(sha256)).filter((content) => content !== undefined),
    );
    const published = await client.publish(source, {
      base,
      files,
      skipped: skipped.length,
      commit: commit ?? (await commitOf(opened, context)),
    });
    return {
      ...told,
      ...published,
      uploaded: missing.length,
      ...(wait ? { replicas: await waitFor(client, published.number) } : {}),
    };
  },
  hasErrors: ({ findings }) => findings.some(({ severity }) => severity === 'error'),
});

export const sourceHistory = defineOperation({
  name: 'source_history',
  title: 'History of a source',
  summary: 'Show the versions of a source of the shared catalog, and who published them',
  params: {
    source: { type: 'text', positional: true, required: true, help: 'Source, as team/name' },
    url: CATALOG_URL_OR_TO,
  },
  output: {
    source: text(),
    ...HISTORY,
  },
  reads: 'none',
  command: {
    name: 'history',
    group: 'Shared catalog',
    examples: [['lectern history payments/skills', 'show every version, newest first']],
  },
  async run({ source, url }, workspace, context) {
    await requireSourceName(source);
    const client = await clientFor(url, workspace, context);
    return { source, versions: await client.history(source) };
  },
});

export const rollbackSource = defineOperation({
  name: 'rollback_source',
  title: 'Roll a source back',
  summary: 'Republish an earlier version of a source',
  params: {
    source: { type: 'text', positional: true, required: true, help: 'Source, as team/name' },
    version: {
      type: 'integer',
      flags: ['--to'],
      required: true,
      placeholder: 'number',
      help: 'Version from `lectern history`',
      hintIfWrong: '--to takes a version; use --url for the URL of the catalog.',
    },
    url: CATALOG_URL,
    dry_run: { type: 'flag', default: false, help: 'Show the changes, and publish nothing' },
    wait: WAIT,
  },
  output: {
    source: text(),
    ...PUBLISHED,
    outcome: choice(['published', 'unchanged', 'planned']),
    number: integer('The new snapshot, or the current version'),
    replicas: REPLICAS,
  },
  reads: 'none',
  command: {
    name: 'rollback',
    group: 'Shared catalog',
    examples: [
      ['lectern rollback payments/skills --to 1234', 'republish version 1234'],
      ['lectern rollback payments/skills --to 1234 --dry-run', 'show the changes, and publish nothing'],
    ],
  },
  async run({ source, version, url, dry_run, wait }, workspace, context) {
    await requireSourceName(source);
    const client = await clientFor(url, workspace, context);
    if (dry_run) return { source, outcome: 'planned' as const, ...(await client.planRollback(source, version)) };
    const restored = await client.rollback(source, version);
    return { source, ...restored, ...(wait ? { replicas: await waitFor(client, restored.number) } : {}) };
  },
});

/** Opens the folder like a replica: without a home folder and without configuration. */
async function openFolder(projectDir: string, { disk }: Reader): Promise<Workspace> {
  if (!isFolder(disk, projectDir)) {
    throw new Failure('NOT_FOUND', `There is no folder ${echo(projectDir)}.`, {
      hint: 'Name the folder to publish, or leave it out to publish the working folder.',
    });
  }
  const { Workspace: Opened } = await import('../workspace/workspace.ts');
  return Opened.open({ projectDir, readConfig: false, skipPlugins: true, collections: true });
}

/** Returns paths relative to the published folder, with forward slashes. */
function within({ options: { projectDir } }: Workspace): (place: string) => string {
  return (place) => path.relative(projectDir, place).split(path.sep).join('/');
}

interface JudgedFolder {
  ruled: PublishFinding[];
  skipped: SkippedSkill[];
  /** Reasons to publish nothing. */
  errors: string[];
}

/**
 * Checks the rules for skills. Secrets files come first, because nothing else shows them. An error in a skill is a warning unless
 * `isStrict`: the skill is either served or skipped. Other errors, such as unreadable folders, always refuse, because the server
 * would treat the content as removed.
 */
async function judge(
  opened: Workspace,
  { files, unfit, isStrict }: { files: readonly StoredFile[]; unfit: readonly SkippedSkill[]; isStrict: boolean },
): Promise<JudgedFolder> {
  const [{ secretsAmong }, { judgeSkills }, { isSkillPath }] = await Promise.all([
    import('../hub/collect.ts'),
    import('../workspace/judge-skills.ts'),
    import('../skills/skill.ts'),
  ]);
  const named = within(opened);
  const judged = await judgeSkills({ target: undefined, all: false, profile: 'spec' }, opened);
  const ruled = secretsAmong(files).map((each) => asFinding(each));
  const skipped = [...unfit];
  const errors = isStrict ? unfit.map(problemOf) : [];
  for (const { id, unread, diagnostics } of judged) {
    const refuses = isStrict || (unread === true && !isSkillPath(id));
    for (const each of diagnostics) {
      const found = asFinding(each, named);
      if (found.severity !== 'error') ruled.push(found);
      else ruled.push({ ...found, severity: refuses ? 'error' : 'warning' });
      if (found.severity === 'error' && refuses) errors.push(`${echo(found.path)} ${found.code}: ${found.message}`);
    }
    const reason = diagnostics.find(({ severity }) => severity === 'error');
    if (unread && reason && isSkillPath(id))
      skipped.push({ name: path.basename(path.dirname(id)), path: named(id), reason: reason.message });
  }
  return { ruled, skipped: skipped.sort((a, b) => compareText(a.path, b.path)), errors };
}

function problemOf({ path: place, reason }: SkippedSkill): string {
  return `${echo(place)}: ${reason}`;
}

/** If nothing remains to publish, the findings of skipped skills are errors. */
function asErrors(findings: readonly PublishFinding[], skipped: readonly SkippedSkill[]): PublishFinding[] {
  const paths = new Set(skipped.map(({ path: place }) => place));
  return findings.map((each) => (paths.has(each.path) ? { ...each, severity: 'error' as const } : each));
}

function asFinding(diagnostic: Diagnostic, named = (each: string) => each): PublishFinding {
  return { ...foundIn(diagnostic), path: named(diagnostic.path), severity: diagnostic.severity };
}

function firstOf<T>(all: readonly T[]): { count: number; first: T[] } {
  return { count: all.length, first: all.slice(0, LEFT_OUT_NAMED) };
}

/** Returns the commit from the CI environment, or otherwise from the repository. */
async function commitOf({ disk, options }: Workspace, { environment = {} }: RunContext): Promise<string | undefined> {
  const said = environment['GITHUB_SHA'] || environment['CI_COMMIT_SHA'];
  if (said) return said;
  const [{ projectFolders }, { findCommit }] = await Promise.all([
    import('../skills/roots/plan.ts'),
    import('../core/disk/git-commit.ts'),
  ]);
  const { gitRoot } = projectFolders(disk, options.projectDir);
  return gitRoot === undefined ? undefined : findCommit(disk, gitRoot);
}

/** Scans the skills and returns findings with paths relative to the folder. */
async function scan(opened: Workspace): Promise<ScanFinding[]> {
  const [{ skillFolders }, { scanFolders }, { findingOf }] = await Promise.all([
    import('../workspace/skill-files.ts'),
    import('./scan-folders.ts'),
    import('./scan-skills.ts'),
  ]);
  const { findings } = await scanFolders(await skillFolders(opened, undefined, false));
  return findings.map(({ item, diagnostic }) =>
    findingOf(item, { ...diagnostic, path: path.relative(opened.options.projectDir, diagnostic.path) }),
  );
}

function asAdvice(found: ScanFinding, isAccepted: boolean) {
  const stops = isSerious(found) && !isAccepted;
  const severity = stops ? ('error' as const) : isSerious(found) ? ('warning' as const) : ('info' as const);
  return { ...foundIn(found), severity, scan: true };
}

/** Uploads several files in parallel, because each upload waits for a response and latency may be high. */
async function uploadAll(client: PublishClient, contents: readonly Uint8Array[]): Promise<void> {
  for (let at = 0; at < contents.length; at += UPLOADS_AT_ONCE)
    await Promise.all(contents.slice(at, at + UPLOADS_AT_ONCE).map((content) => client.upload(content)));
}
