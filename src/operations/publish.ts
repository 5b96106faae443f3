import path from 'node:path';
import { isFolder } from '../core/disk/answers.ts';
import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import { choice, integer, list, object, optional, text } from '../core/fields/field.ts';
import { CHANGES, HISTORY, PUBLISHED } from '../hub/publish-answers.ts';
import type { PublishClient } from '../hub/publish-client.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation, type RunContext } from './define.ts';
import { ACCEPT_FINDINGS, acceptOrFail, isSerious, type ScanFinding } from './install-shapes.ts';

/** Where the shared catalog is, for every operation that talks to one. */
const TO = {
  to: {
    type: 'text',
    flags: ['--to', '--url'],
    placeholder: 'url',
    help: 'The address of the shared catalog; LECTERN_CATALOG_URL by default',
  },
} as const;

/** So many of the files that are left out are named. */
const LEFT_OUT_NAMED = 5;

/** As many as the replica has connections to its database, less two for others. */
const UPLOADS_AT_ONCE = 4;

export const publish = defineOperation({
  name: 'publish',
  title: 'Publish a source',
  summary: 'Publish the skills and specs of a folder to the shared catalog',
  params: {
    dir: { type: 'text', positional: true, help: 'The folder to publish; the project by default' },
    source: {
      type: 'text',
      required: true,
      placeholder: 'team/name',
      help: 'The source that it becomes the content of',
    },
    ...TO,
    commit: {
      type: 'text',
      placeholder: 'id',
      help: 'The commit, for the history; by default what GITHUB_SHA or CI_COMMIT_SHA says',
    },
    dry_run: { type: 'flag', default: false, help: 'Show what would change, and publish nothing' },
    allow_empty: { type: 'flag', default: false, help: 'Publish even if there is nothing, which empties the source' },
    accept_findings: ACCEPT_FINDINGS,
    wait: { type: 'flag', default: false, help: 'Wait until every live replica serves it' },
  },
  output: {
    source: text(),
    outcome: choice(['published', 'unchanged', 'planned']),
    number: integer('The snapshot, or the version that is there'),
    files: integer('How many files the source has'),
    uploaded: integer('How many contents the catalog did not have'),
    ...CHANGES,
    findings: optional(
      list(
        object({ severity: choice(['error', 'warning', 'info']), code: text(), path: text(), message: text() }),
        'With dry_run: what the rules for skills and the scan say; errors would stop a publication',
      ),
    ),
    leftOut: optional(
      object(
        { count: integer(), first: list(text()) },
        'SKILL.md files that are in no folder where skills are found, so they are not published; missing if there are none',
      ),
    ),
    replicas: optional(integer('With wait: how many replicas serve it')),
  },
  reads: 'none',
  command: {
    name: 'publish',
    group: 'Share',
    examples: [
      [
        'lectern publish . --to https://skills.example.com --source payments/skills --wait',
        'in CI, with LECTERN_PUBLISH_TOKEN',
      ],
      ['lectern publish --source payments/skills --dry-run', 'show what would be added, changed and removed'],
    ],
  },
  async run(
    { dir, source, to, commit, dry_run, wait, allow_empty, accept_findings },
    workspace,
    { environment = {}, ...context },
  ) {
    const [{ collect }, { Workspace }] = await Promise.all([
      import('../hub/collect.ts'),
      import('../workspace/workspace.ts'),
    ]);
    const client = await clientFor(to, environment);
    await requireSourceName(source);
    const projectDir = path.resolve(workspace.options.projectDir, dir ?? '.');
    if (!isFolder(workspace.disk, projectDir)) {
      throw new Failure('NOT_FOUND', `There is no folder ${echo(projectDir)}.`, {
        hint: 'Name the folder to publish, or leave it out to publish the working folder.',
      });
    }
    // As a replica will read it: without a home and without configuration.
    const opened = await Workspace.open({
      projectDir,
      readConfig: false,
      skipPlugins: true,
      collections: true,
    });
    const { files, contents } = await collect(opened);
    const { judgeSkills } = await import('../workspace/judge-skills.ts');
    const judged = await judgeSkills({ target: undefined, all: false, profile: 'spec' }, opened);
    const within = (place: string): string => path.relative(projectDir, place).split(path.sep).join('/');
    const findings = judged
      .flatMap(({ diagnostics }) => diagnostics)
      .map(({ severity, code, path: place, message }) => ({ severity, code, path: within(place), message }));
    // A skill that cannot be read is not among the files, so the server would only see that it is gone.
    if (!dry_run) {
      const errors = findings.filter(({ severity }) => severity === 'error');
      (await import('../hub/manifest.ts')).refuseProblems(
        errors.map(({ path: place, code, message }) => `${echo(place)} ${code}: ${message}`),
      );
    }
    if (files.length === 0 && !allow_empty) {
      throw new Failure('REFUSED', `There is nothing to publish in ${echo(projectDir)}.`, {
        hint: 'Check the folder. To remove everything from the source, use --allow-empty.',
      });
    }
    const scanned = await scan(opened);
    if (!dry_run && !accept_findings) await acceptOrFail(scanned, { findings: scanned }, context, 'published');
    const broken = new Set(findings.map(({ path: place }) => place));
    const { leftOut: findLeftOut } = await import('../hub/left-out.ts');
    const unpublished = (await findLeftOut(opened, files)).map(within).filter((place) => !broken.has(place));
    const leftOut = { count: unpublished.length, first: unpublished.slice(0, LEFT_OUT_NAMED) };
    const { base, missing, ...changes } = await client.check(source, files);
    if (dry_run) {
      return {
        source,
        outcome: 'planned' as const,
        number: base,
        files: files.length,
        uploaded: 0,
        ...changes,
        findings: [...findings, ...scanned.map((found) => asAdvice(found, accept_findings))],
        ...(leftOut.count === 0 ? {} : { leftOut }),
      };
    }
    await uploadAll(
      client,
      missing.map((sha256) => contents.get(sha256)).filter((content) => content !== undefined),
    );
    const published = await client.publish(source, {
      base,
      files,
      commit: commit ?? environment['GITHUB_SHA'] ?? environment['CI_COMMIT_SHA'],
    });
    return {
      source,
      ...published,
      files: files.length,
      uploaded: missing.length,
      ...(leftOut.count === 0 ? {} : { leftOut }),
      ...(wait ? { replicas: await waitFor(client, published.number) } : {}),
    };
  },
  hasErrors: ({ findings = [] }) => findings.some(({ severity }) => severity === 'error'),
});

export const sourceHistory = defineOperation({
  name: 'source_history',
  title: 'History of a source',
  summary: 'Show who published what to a source of the shared catalog, and when',
  params: { source: { type: 'text', positional: true, required: true, help: 'team/name' }, ...TO },
  output: {
    source: text(),
    ...HISTORY,
  },
  reads: 'none',
  command: {
    name: 'history',
    group: 'Share',
    examples: [['lectern history payments/skills', 'show every version, the last one first']],
  },
  async run({ source, to }, _workspace, { environment = {} }) {
    await requireSourceName(source);
    return { source, versions: await (await clientFor(to, environment)).history(source) };
  },
});

export const rollbackSource = defineOperation({
  name: 'rollback_source',
  title: 'Roll a source back',
  summary: 'Publish an earlier version of a source again',
  params: {
    source: { type: 'text', positional: true, required: true, help: 'team/name' },
    version: {
      type: 'integer',
      flags: ['--to'],
      required: true,
      placeholder: 'number',
      help: 'The version, as `lectern history` shows it',
      hintIfWrong: '--to takes a version; the address is --url.',
    },
    url: { ...TO.to, flags: ['--url'] },
  },
  output: { source: text(), ...PUBLISHED },
  reads: 'none',
  command: {
    name: 'rollback',
    group: 'Share',
    examples: [['lectern rollback payments/skills --to 1234', 'make version 1234 the current one']],
  },
  async run({ source, version, url }, _workspace, { environment = {} }) {
    await requireSourceName(source);
    return { source, ...(await (await clientFor(url, environment)).rollback(source, version)) };
  },
});

/** What the scan says of the skills, with their places in the folder. */
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
  return { severity, code: found.code, path: found.file, message: found.description };
}

async function clientFor(
  to: string | undefined,
  environment: NonNullable<RunContext['environment']>,
): Promise<PublishClient> {
  const given = to ?? environment['LECTERN_CATALOG_URL'];
  const token = environment['LECTERN_PUBLISH_TOKEN'];
  if (!given) {
    throw new Failure('USAGE', 'It is not known where the shared catalog is.', {
      hint: 'Name its address, such as https://skills.example.com, or set LECTERN_CATALOG_URL.',
    });
  }
  const url = (await import('../core/catalog-address.ts')).joinedAddress(given);
  if (!token) {
    throw new Failure('USAGE', 'LECTERN_PUBLISH_TOKEN is not set.', {
      hint: 'Set it to a token with the scope publish; `lectern token add` makes one.',
    });
  }
  return new (await import('../hub/publish-client.ts')).PublishClient({ url, token });
}

/** The name becomes part of an address. */
async function requireSourceName(source: string): Promise<void> {
  (await import('../store/source-name.ts')).parseSourceName(source);
}

/** Several at once, because each waits for its answer, and the catalog may be far away. */
async function uploadAll(client: PublishClient, contents: readonly Uint8Array[]): Promise<void> {
  for (let at = 0; at < contents.length; at += UPLOADS_AT_ONCE)
    await Promise.all(contents.slice(at, at + UPLOADS_AT_ONCE).map((content) => client.upload(content)));
}

async function waitFor(client: PublishClient, number: number): Promise<number> {
  return (await import('../hub/wait-for-replicas.ts')).waitForReplicas(client, number);
}
