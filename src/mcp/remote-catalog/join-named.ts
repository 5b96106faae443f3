/** Joins calls about one skill, spec or change: a local item wins, otherwise the shared catalog is queried. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { count, echo } from '../../core/text.ts';
import { within } from '../../core/within.ts';
import type { ItemKind, Named, Probe } from '../../operations/join.ts';
import { failed } from '../tool.ts';
import type { RemoteAnswer, RemoteCatalog } from './remote-catalog.ts';
import { type ToolCall, findLocally, type Join, JOIN_MS, LOAD_MS, withoutLocal } from './joining.ts';
import { errorOf, factsOf, noteOn, passedOn, withCatalog, withFacts, withNote, withSuggestions } from './notes.ts';

/** `team/source:name`. Local skills have no such name unless a scope is named like that. */
const FULL_NAME = /^[^\s/:]+\/[^\s/:]+:./u;
/** How long a local answer waits for the check whether the shared catalog has the same name. */
const OTHER_MS = 500;

export function joinNamed(how: Named): Join {
  return async (call) => {
    const { args, local, served } = call;
    const given = args[how.param];
    const name = typeof given === 'string' ? given.trim() : '';
    // Without a name, the call is about everything or invalid. Both are handled locally.
    if (name === '') return local(args);
    if (how.kind === 'skill' && FULL_NAME.test(name)) {
      const answer = await ask(call, how, name);
      return (
        (await answerOf(call, how, name, answer)) ?? missing(call, how, name, { result: await local(args), answer })
      );
    }
    const isHere = (await findLocally(served, how.kind, name)) === 'found';
    const other = how.namesake && isHere ? otherNames(call, how.namesake(name)) : undefined;
    const result = await local(args);
    if (other && result.isError !== true) return withOther(result, (await within(OTHER_MS, other)) ?? []);
    const isMissing = errorOf(result)?.code === 'NOT_FOUND';
    // The error may also concern a missing file of a local skill.
    if (!isMissing || (await findLocally(served, how.kind, name)) !== 'missing') return result;
    const answer = await ask(call, how, name);
    return (await answerOf(call, how, name, answer)) ?? missing(call, how, name, { result, answer });
  };
}

function ask({ catalog, tool, args }: ToolCall, { kind }: Named, name: string): Promise<RemoteAnswer> {
  return catalog.ask({ tool, args, waitMs: LOAD_MS, about: { kind, name } });
}

/** Answer of the shared catalog; undefined if the item does not exist there or it cannot be reached. */
async function answerOf(
  { catalog }: ToolCall,
  { kind, probe }: Named,
  name: string,
  answer: RemoteAnswer,
): Promise<CallToolResult | undefined> {
  if (answer.kind === 'unreachable') return undefined;
  if (errorOf(answer.result)?.code !== 'NOT_FOUND') return passedOn(catalog, answer);
  const again = probe && (await askProbe(catalog, probe(name), LOAD_MS));
  if (again && (again.kind === 'unreachable' || errorOf(again.result)?.code !== 'NOT_FOUND'))
    return passedOn(catalog, answer);
  catalog.forget({ kind, name });
  return undefined;
}

/** Returns the local error with the suggestions of the shared catalog if neither side has the item. */
async function missing(
  { catalog, served, sharedSkills }: ToolCall,
  { kind }: Named,
  name: string,
  { result, answer }: { result: CallToolResult; answer: RemoteAnswer },
): Promise<CallToolResult> {
  if (result.isError !== true) return result;
  if (answer.kind === 'unreachable') {
    // It exists, but only a part of it was cached.
    const local = catalog.hasKept({ kind, name }) ? failed(keptInPart(kind, name)) : result;
    return withNote(withCatalog(local, catalog, answer), `${noteOn(catalog, answer) ?? ''} ${answer.advice}`);
  }
  const joined = withCatalog(result, catalog, answer);
  // Suggestions that would load a local item are dropped.
  const near = await withoutLocal(errorOf(answer.result)?.suggestions ?? [], (name) => name, { served, kind });
  const did =
    near.length === 0 ? '' : ` Did you mean: ${near.slice(0, LIMITS.suggestions.value).map(echo).join(', ')}?`;
  const suggestions = [...(errorOf(result)?.suggestions ?? []), ...near].slice(0, LIMITS.suggestions.value);
  const { searchTool } = served;
  // The list of available skills contains only local ones.
  const search =
    kind === 'skill' && sharedSkills > 0 && searchTool !== undefined
      ? ` It has ${count(sharedSkills, 'skill')}, which ${searchTool} finds.`
      : '';
  const note = `The shared catalog has no ${kind} of that name either.${search}${did}`;
  return withSuggestions(withNote(joined, note), suggestions);
}

function keptInPart(kind: ItemKind, name: string): Failure {
  return new Failure(
    'NOT_FOUND',
    `Only a part of the shared ${kind} '${echo(name)}' is cached, and it does not include this.`,
  );
}

function askProbe(catalog: RemoteCatalog, { operation, input }: ReturnType<Probe>, waitMs: number) {
  return catalog.ask({ tool: operation, args: input, waitMs });
}

/** Full names of shared skills with that name. */
async function otherNames({ catalog }: ToolCall, namesake: ReturnType<Probe>): Promise<string[]> {
  const answer = await askProbe(catalog, namesake, JOIN_MS);
  if (answer.kind === 'unreachable') return [];
  const error = errorOf(answer.result);
  if (error) return error.code === 'AMBIGUOUS' ? (error.suggestions ?? []) : [];
  const { fullName } = factsOf(answer.result);
  return typeof fullName === 'string' ? [fullName] : [];
}

function withOther(result: CallToolResult, names: readonly string[]): CallToolResult {
  if (names.length === 0) return result;
  const list = names.slice(0, LIMITS.suggestions.value).map(echo).join(' or ');
  const note = `This is the local skill of that name. The shared catalog has another: load it as ${list}.`;
  return withFacts(withNote(result, note), { shared: [...names] });
}
