/** Joins calls about one skill, spec or change: a local item wins, otherwise the shared catalog is queried. */
import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { count, echo } from '../../core/text.ts';
import { within } from '../../core/within.ts';
import type { ItemKind, Named, Probe } from '../../operations/join.ts';
import type { JoinedOutcome, Outcome } from '../outcome.ts';
import { textIn } from './data.ts';
import { failedWith, findLocally, JOIN_MS, type JoinCall, LOAD_MS, outputOf, withoutLocal } from './joining.ts';
import { metaOf, noteOn, passedOn } from './notes.ts';
import type { RemoteAnswer } from './remote-catalog.ts';

/** `team/source:name`. Local skills have no such name, unless a scope has this form. */
const FULL_NAME = /^[^\s/:]+\/[^\s/:]+:./u;
/** How long a local answer waits to learn whether the shared catalog has the same name. */
const OTHER_MS = 500;

export async function joinNamed(row: Named, call: JoinCall): Promise<JoinedOutcome> {
  const { args, local, served } = call;
  const { kind, namesake } = row;
  const name = textIn(args, row.param)?.trim() ?? '';
  // Without a name, the call is about everything or invalid. Both are handled locally.
  if (name === '') return local(args);
  if (kind === 'skill' && FULL_NAME.test(name)) {
    const answer = await ask(call, row, name);
    return (
      (await answerOf(call, row, name, answer)) ?? missing(call, row, name, { outcome: await local(args), answer })
    );
  }
  const isHere = (await findLocally(served, kind, name)) === 'found';
  const others = namesake && isHere ? namesakes(call, row, namesake(name)) : undefined;
  const outcome = await local(args);
  if (others && 'output' in outcome) return withNamesakes(outcome, (await within(OTHER_MS, others)) ?? []);
  // The error may also concern a missing file of a local skill.
  if (!failedWith('NOT_FOUND', outcome) || (await findLocally(served, kind, name)) !== 'missing') return outcome;
  const answer = await ask(call, row, name);
  return (await answerOf(call, row, name, answer)) ?? missing(call, row, name, { outcome, answer });
}

function ask({ catalog, operation, args }: JoinCall, { kind, fullName }: Named, name: string): Promise<RemoteAnswer> {
  return catalog.ask({ operation: operation.name, input: args, waitMs: LOAD_MS, about: { kind, name, fullName } });
}

/** Answer of the shared catalog; undefined if the item does not exist there or it cannot be reached. */
async function answerOf(
  { catalog }: JoinCall,
  { kind, probe }: Named,
  name: string,
  answer: RemoteAnswer,
): Promise<JoinedOutcome | undefined> {
  if (answer.kind === 'unreachable') return undefined;
  if (!failedWith('NOT_FOUND', answer)) return passedOn(catalog, answer);
  if (probe && !failedWith('NOT_FOUND', await catalog.ask({ ...probe(name), waitMs: LOAD_MS })))
    return passedOn(catalog, answer);
  catalog.forget({ kind, name });
  return undefined;
}

/** Returns the local error with the suggestions of the shared catalog if neither side has the item. */
async function missing(
  { catalog, served, sharedSkills }: JoinCall,
  { kind }: Named,
  name: string,
  { outcome, answer }: { outcome: Outcome; answer: RemoteAnswer },
): Promise<JoinedOutcome> {
  if ('output' in outcome) return outcome;
  const meta = metaOf(catalog, answer);
  if (answer.kind === 'unreachable') {
    // It exists, but only a part of it was cached.
    const error = catalog.hasCached({ kind, name }) ? cachedInPart(kind, name) : outcome.error;
    return { error, note: `${noteOn(catalog, answer) ?? ''} ${answer.advice}`, meta };
  }
  // Suggestions that would load a local item are dropped.
  const near = await withoutLocal(suggestionsIn(answer), (each) => each, { served, kind });
  const did =
    near.length === 0 ? '' : ` Did you mean: ${near.slice(0, LIMITS.suggestions.value).map(echo).join(', ')}?`;
  const { searchTool } = served;
  // The list of available skills contains only local ones.
  const search =
    kind === 'skill' && sharedSkills > 0 && searchTool !== undefined
      ? ` It has ${count(sharedSkills, 'skill')}, which ${searchTool} finds.`
      : '';
  return {
    error: outcome.error,
    note: `The shared catalog has no ${kind} of that name either.${search}${did}`,
    suggestions: [...suggestionsIn(outcome), ...near].slice(0, LIMITS.suggestions.value),
    meta,
  };
}

function suggestionsIn(outcome: object): readonly string[] {
  return 'error' in outcome && outcome.error instanceof Failure ? outcome.error.suggestions : [];
}

function cachedInPart(kind: ItemKind, name: string): Failure {
  return new Failure(
    'NOT_FOUND',
    `Only a part of the shared ${kind} '${echo(name)}' is cached, and it does not include this.`,
  );
}

/** Full names of shared items with that name. */
async function namesakes(
  { catalog }: JoinCall,
  { fullName }: Named,
  probe: ReturnType<Probe>,
): Promise<readonly string[]> {
  const answer = await catalog.ask({ ...probe, waitMs: JOIN_MS });
  if (failedWith('AMBIGUOUS', answer)) return suggestionsIn(answer);
  const found = textIn(outputOf(answer), fullName);
  return found === undefined ? [] : [found];
}

function withNamesakes(outcome: Outcome, names: readonly string[]): JoinedOutcome {
  if (names.length === 0) return outcome;
  const list = names.slice(0, LIMITS.suggestions.value).map(echo).join(' or ');
  const note = `This is the local skill of that name. The shared catalog has another: load it as ${list}.`;
  return { ...outcome, note, facts: { shared: names } };
}
