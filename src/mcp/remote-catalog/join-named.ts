/** Joins calls about one skill, spec or change: a local item wins, otherwise the shared catalog is queried. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { count, echo } from '../../core/text.ts';
import { within } from '../../core/within.ts';
import { failed } from '../tool.ts';
import type { RemoteAnswer } from './remote-catalog.ts';
import { type ToolCall, findLocally, type Join, JOIN_MS, type Kind, LOAD_MS, withoutLocal } from './joining.ts';
import { errorOf, factsOf, noteOn, passedOn, withCatalog, withFacts, withNote, withSuggestions } from './notes.ts';

export interface Named {
  kind: Kind;
  /** Name of the parameter with the name. */
  key: string;
  /** A call that fails only if the item does not exist. Other calls also fail if a part of it is missing. */
  probe?: (name: string) => { tool: string; args: Record<string, unknown> };
  /** Adds a note to the reply if the shared catalog has an item of the same name. */
  notesOther?: boolean;
}

/** `team/source:name`. Local skills have no such name unless a scope is named like that. */
const FULL_NAME = /^[^\s/:]+\/[^\s/:]+:./u;
/** How long a local answer waits for the check whether the shared catalog has the same name. */
const OTHER_MS = 500;

export function joinNamed(how: Named): Join {
  return async (call) => {
    const { args, local, served } = call;
    const given = args[how.key];
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
    const other = how.notesOther && isHere ? otherNames(call, name) : undefined;
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
  const again = probe && (await catalog.ask({ ...probe(name), waitMs: LOAD_MS }));
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
    const local = catalog.hasCached({ kind, name }) ? failed(cachedInPart(kind, name)) : result;
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

function cachedInPart(kind: Kind, name: string): Failure {
  return new Failure(
    'NOT_FOUND',
    `Only a part of the shared ${kind} '${echo(name)}' is cached, and it does not include this.`,
  );
}

/** Full names of shared skills with that name. The lookup does not count as a load. */
async function otherNames({ catalog }: ToolCall, name: string): Promise<string[]> {
  const answer = await catalog.ask({ tool: 'skill_file', args: { name, limit: 1 }, waitMs: JOIN_MS });
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
