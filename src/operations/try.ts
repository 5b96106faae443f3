import path from 'node:path';
import { type LiveAgent, OUTCOMES, REQUESTS_FILE } from '../agents/names.ts';
import type { Expectation } from '../agents/requests.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { Failure } from '../core/failure.ts';
import { choice, flag, integer, list, number, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { echo, oneLine } from '../core/text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { STATUS } from './agent-shapes.ts';
import { defineOperation, type RunContext } from './define.ts';
import { readRequestsFile, readText } from './requests-file.ts';
import { DIAGNOSTIC, FINDING_FORMATS, FORMAT } from './shapes.ts';
import { YES } from './install-shapes.ts';
import { NO_WORD, openTrial, REQUEST, TRIED, TRIED_AGENTS, type Trial, type TriedAgent } from './try-request.ts';
import { RAN, WITH } from './try-with.ts';

const CHECKED = {
  request: text(),
  line: integer('Line in the file'),
  expect: text('Name of a skill, or none'),
  agent: text(),
  outcome: choice(OUTCOMES),
  first: optional(text('The first skill, if one fits')),
  margin: number(),
  reason: optional(text('Why it is not a pass')),
  status: optional(STATUS),
} as const;

const output = {
  request: optional(text()),
  agents: optional(list(object(TRIED))),
  saved: optional(
    object(
      { file: text(), request: text(), expect: text(), replaced: flag('Whether the request was in the file before') },
      'With --save',
    ),
  ),
  checked: optional(
    object(
      {
        file: text(),
        passed: integer(),
        close: integer(),
        failed: integer(),
        results: list(object(CHECKED), 'In the order of the file'),
        diagnostics: list(object(DIAGNOSTIC), 'Failures, close calls, and problems of the file'),
      },
      'With --check',
    ),
  ),
  with: optional(object(RAN, 'With --with: the run of the agent')),
  imported: optional(
    object(
      {
        file: text(),
        added: integer(),
        replaced: integer(),
        notRead: list(object({ entry: text('Number of the entry, or its key'), reason: text() })),
      },
      'With --from',
    ),
  ),
} as const;
export type TryOutput = ObjectOf<typeof output>;

export const FORMATS = [...FINDING_FORMATS, 'junit'] as const;

export const tryCommand = defineOperation({
  name: 'try',
  title: 'Try',
  summary: 'Show which skill each agent would reach for: ranks the text your agents show; it does not ask a model',
  params: {
    request: { ...REQUEST, positional: 'words' },
    agents: { ...TRIED_AGENTS, flags: ['--agent'] },
    expect: {
      type: 'text',
      filled: true,
      max: LIMITS.nameCharacters.value,
      placeholder: 'skill|none',
      help: 'The skill that should be first, or none; exit code 1 if it is not',
    },
    save: { type: 'flag', default: false, help: `Keep the request and --expect in ${REQUESTS_FILE}` },
    check: { type: 'flag', default: false, help: 'Try every saved request; exit code 1 if one fails' },
    from: {
      type: 'text',
      isPath: true,
      placeholder: 'file',
      help: `Import requests from an evals file (JSON) into ${REQUESTS_FILE}`,
    },
    minMargin: {
      type: 'number',
      min: 0,
      max: 1,
      default: 0,
      placeholder: 'n',
      help: 'A smaller margin fails, from 0 to 1',
    },
    with: WITH,
    yes: { ...YES, faces: ['cli'], help: 'With --with: skip the confirmation (required without a terminal)' },
    format: { ...FORMAT, choices: FORMATS, help: 'With --check: print a report for this program' },
  },
  output,
  reads: 'skills',
  settings: ['skills'],
  surveys: true,
  writes: 'project',
  interactive: true,
  command: {
    name: 'try',
    group: 'Look',
    examples: [
      ['lectern try "merge two PDF files"', 'the first three skills of each agent found here'],
      ['lectern try "merge two PDF files" --agent codex --expect pdf', 'exit code 1 if another skill is first'],
      ['lectern try --save "merge two PDF files" --expect pdf', `keep it in ${REQUESTS_FILE}`],
      ['lectern try --check', 'try every saved request, in CI for example'],
      ['lectern try "merge two PDF files" --with claude', 'run Claude Code once, and compare its choice'],
      ['lectern try --from evals.json', 'import prompts and expected skills'],
    ],
  },
  library: 'try',
  async run(input, workspace: Workspace, context) {
    const mode = modeOf(input);
    if (mode === 'from') return { imported: await importRequests(workspace, input, context) };
    if (mode === 'check') return { checked: await checkRequests(workspace, input, context) };
    const { request = '', expect, minMargin, with: live } = input;
    const trial = await openTrial(workspace, live === undefined ? input.agents : [live], context.workingDir);
    const expected = expect === undefined ? undefined : { name: await trial.nameOf(expect), minMargin };
    const agents = await Promise.all(trial.agents.map((profile) => trial.answer(profile, request, expected)));
    if (live !== undefined) {
      const { runAgentOnce } = await import('./try-with.ts');
      const asked = { agent: live, request, yes: input.yes, expected: expected?.name, predicted: agents[0] };
      return { request, agents, with: await runAgentOnce(workspace, asked, context) };
    }
    if (mode === 'try') return { request, agents };
    const wanted = { request: oneLine(request), expect: expected?.name ?? '', agents: input.agents };
    const { file, replaced } = await saveRequests(workspace, [wanted]);
    return { request, agents, saved: { file, request: wanted.request, expect: wanted.expect, replaced: replaced > 0 } };
  },
  hasErrors: ({ agents = [], checked, saved, with: ran }) =>
    ran !== undefined
      ? ran.outcome === 'fail'
      : checked === undefined
        ? saved === undefined && agents.some(({ outcome }) => outcome === 'fail')
        : checked.failed > 0 || checked.diagnostics.some(({ severity }) => severity === 'error'),
});

interface Input {
  request?: string | undefined;
  agents?: readonly string[] | undefined;
  expect?: string | undefined;
  save: boolean;
  check: boolean;
  from?: string | undefined;
  with?: LiveAgent | undefined;
  minMargin: number;
  format?: string | undefined;
}

function modeOf(input: Input): 'try' | 'save' | 'check' | 'from' {
  const { request, expect, save, check, from, format, with: live, agents } = input;
  const usage = (message: string, hint: string): Failure => new Failure('USAGE', message, { hint });
  if ([save, check, from !== undefined].filter(Boolean).length > 1)
    throw usage('--save, --check and --from cannot be combined.', 'Run the command once for each.');
  if (live !== undefined && (save || check || from !== undefined || agents !== undefined))
    throw usage('--with takes a request and --expect alone.', `For example: lectern try "<request>" --with ${live}.`);
  if (format !== undefined && !check)
    throw usage(`${format === 'sarif' ? '--sarif' : '--format'} needs --check.`, 'Use --json for a single request.');
  if (check || from !== undefined) {
    if (request !== undefined || expect !== undefined)
      throw usage(
        `${check ? '--check' : '--from'} takes neither a request nor --expect.`,
        check ? `The requests are in ${REQUESTS_FILE}.` : 'The requests are in the file.',
      );
    return check ? 'check' : 'from';
  }
  if (request === undefined)
    throw usage('A request is missing.', 'For example: lectern try "merge two PDF files", or lectern try --check.');
  if (!save) return 'try';
  if (expect === undefined)
    throw usage('--save needs --expect.', 'Name the skill that should be first, or none: --expect none.');
  return 'save';
}

async function saveRequests(
  workspace: Workspace,
  wanted: readonly Expectation[],
): Promise<{ file: string; added: number; replaced: number }> {
  const { withRequests } = await import('../agents/requests.ts');
  const { file, text: before, stamp } = readRequestsFile(workspace);
  const { text: after, added, replaced } = withRequests(before, file, wanted);
  const disk = workspace.diskFor('project');
  if (before === undefined) disk.create(file, after);
  else disk.replace(file, after, stamp);
  return { file, added, replaced };
}

/** Requests that name agents apply to these only, also if they are not found here. */
async function checkRequests(
  workspace: Workspace,
  { agents: asked, minMargin }: Input,
  { workingDir }: RunContext,
): Promise<NonNullable<TryOutput['checked']>> {
  const [{ readRequests }, { requestsInvalidEntry }] = await Promise.all([
    import('../agents/requests.ts'),
    import('../agents/codes.ts'),
  ]);
  const { file, text: written } = readRequestsFile(workspace);
  if (written === undefined)
    throw new Failure('NOT_FOUND', `There is no ${REQUESTS_FILE} in ${workspace.projectRoot}.`, {
      hint: 'Save a request first: lectern try --save "<request>" --expect <skill>.',
    });
  const { requests, diagnostics } = readRequests(written, file);
  const trials = new Map<string, Promise<Trial>>();
  const results: Checked[] = [];
  for (const { request, expect, agents: own, line } of requests) {
    const wanted = own && asked ? own.filter((id) => asked.includes(id)) : (own ?? asked);
    if (own && wanted?.length === 0) continue;
    const key = (wanted ?? []).join(' ');
    const opened = trials.get(key) ?? openTrial(workspace, wanted, workingDir);
    trials.set(key, opened);
    const trial = await opened.catch((error: unknown) => {
      throw placed(error, own && { path: file, line });
    });
    if (!trial.canRank(request)) {
      diagnostics.push(requestsInvalidEntry.at({ path: file, line, message: `the request ${NO_WORD}` }));
      continue;
    }
    const name = await trial.nameOf(expect, { path: file, line });
    for (const profile of trial.agents) {
      const tried = await trial.answer(profile, request, { name, minMargin });
      results.push(checkedFrom(tried, { request, line, expect }));
    }
  }
  for (const result of results) diagnostics.push(...(await problemOf(result, file)));
  const counted = (wanted: string): number => results.filter(({ outcome }) => outcome === wanted).length;
  return { file, passed: counted('pass'), close: counted('close'), failed: counted('fail'), results, diagnostics };
}

type Checked = NonNullable<TryOutput['checked']>['results'][number];

/** Adds the line of the file that names an unknown agent. */
function placed(error: unknown, place: { path: string; line: number } | undefined): unknown {
  if (!place || !(error instanceof Failure)) return error;
  const { code, message, hint, suggestions } = error;
  return new Failure(code, message, { suggestions, ...(hint === undefined ? {} : { hint }), ...place });
}

function checkedFrom(
  { id, outcome = 'pass', margin, verdict, results, reason, status }: TriedAgent,
  entry: Pick<Checked, 'request' | 'line' | 'expect'>,
): Checked {
  const first = verdict === 'none' ? undefined : results[0]?.name;
  return {
    ...entry,
    agent: id,
    outcome,
    ...(first === undefined ? {} : { first }),
    margin,
    ...(reason === undefined ? {} : { reason }),
    ...(status === undefined ? {} : { status }),
  };
}

async function problemOf({ outcome, request, agent, reason = '', line }: Checked, file: string): Promise<Diagnostic[]> {
  if (outcome === 'pass') return [];
  const { tryClose, tryFailed } = await import('../agents/codes.ts');
  const rule = outcome === 'fail' ? tryFailed : tryClose;
  return [rule.at({ path: file, line, message: `"${echo(request)}" for ${agent}: ${reason}` })];
}

async function importRequests(
  workspace: Workspace,
  { from = '', agents }: Input,
  { workingDir }: RunContext,
): Promise<NonNullable<TryOutput['imported']>> {
  const { readEvals } = await import('../agents/evals.ts');
  const source = path.resolve(workingDir ?? workspace.options.projectDir, from);
  const { text: written } = readText(workspace.disk, source);
  if (written === undefined)
    throw new Failure('NOT_FOUND', `There is no file ${source}.`, { hint: 'Name a JSON file with evals.' });
  const { expectations, notRead } = readEvals(written, source);
  const trial = await openTrial(workspace, agents, workingDir);
  const wanted: Expectation[] = [];
  for (const { entry, expect, ...rest } of expectations) {
    if (!trial.canRank(rest.request)) {
      notRead.push({ entry, reason: `The prompt ${NO_WORD}.` });
      continue;
    }
    try {
      wanted.push({ ...rest, expect: await trial.nameOf(expect), agents });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notRead.push({ entry, reason: error.message });
    }
  }
  if (wanted.length === 0)
    throw new Failure('REFUSED', `${source} has no usable entry, so nothing was written.`, {
      path: source,
      hint: notRead[0]?.reason ?? 'Each entry needs a prompt and the expected skill.',
      facts: { notRead },
    });
  return { ...(await saveRequests(workspace, wanted)), notRead };
}
