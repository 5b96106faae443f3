/** Calls about one skill, spec or change: the local one of that name wins, and others are asked of the catalog. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { count, echo } from '../../core/text.ts';
import { within } from '../../core/within.ts';
import { failed } from '../tool.ts';
import type { Told } from './asked-catalog.ts';
import { type Asked, findLocally, type Join, JOIN_MS, type Kind, LOAD_MS, withoutLocal } from './joining.ts';
import { errorOf, factsOf, noteOn, passedOn, withCatalog, withFacts, withNote, withSuggestions } from './notes.ts';

export interface Named {
  kind: Kind;
  /** The parameter with the name. */
  key: string;
  /** The call that fails only if there is nothing of that name: others fail as well if a part of it is missing. */
  probe?: (name: string) => { tool: string; args: Record<string, unknown> };
  /** The reply says so if the catalog has one of the same name. */
  tellsOfOther?: boolean;
}

/** `team/source:name`. No skill on a machine has such a name, unless somebody calls a folder's scope like that. */
const FULL_NAME = /^[^\s/:]+\/[^\s/:]+:./u;
/** So long a local answer waits to hear whether the catalog has one of that name, too. */
const OTHER_MS = 500;

export function joinNamed(how: Named): Join {
  return async (asked) => {
    const { args, local, served } = asked;
    const given = args[how.key];
    const name = typeof given === 'string' ? given.trim() : '';
    // Without a name it is about everything, or a mistake: both are for the local side.
    if (name === '') return local(args);
    if (how.kind === 'skill' && FULL_NAME.test(name)) {
      const told = await ask(asked, how, name);
      return (await answerOf(asked, how, name, told)) ?? missing(asked, how, name, { result: await local(args), told });
    }
    const isHere = (await findLocally(served, how.kind, name)) === 'found';
    const other = how.tellsOfOther && isHere ? otherNames(asked, name) : undefined;
    const result = await local(args);
    if (other && result.isError !== true) return tellOfOther(result, (await within(OTHER_MS, other)) ?? []);
    const isMissing = errorOf(result)?.code === 'NOT_FOUND';
    // Also not found: a file of a local skill.
    if (!isMissing || (await findLocally(served, how.kind, name)) !== 'missing') return result;
    const told = await ask(asked, how, name);
    return (await answerOf(asked, how, name, told)) ?? missing(asked, how, name, { result, told });
  };
}

function ask({ catalog, tool, args }: Asked, { kind }: Named, name: string): Promise<Told> {
  return catalog.ask({ tool, args, waitMs: LOAD_MS, about: { kind, name } });
}

/** What the catalog says of the thing; undefined if it has none, or does not answer. */
async function answerOf(
  { catalog }: Asked,
  { kind, probe }: Named,
  name: string,
  told: Told,
): Promise<CallToolResult | undefined> {
  if (told.kind === 'silent') return undefined;
  if (errorOf(told.result)?.code !== 'NOT_FOUND') return passedOn(catalog, told);
  const again = probe && (await catalog.ask({ ...probe(name), waitMs: LOAD_MS }));
  if (again && (again.kind === 'silent' || errorOf(again.result)?.code !== 'NOT_FOUND')) return passedOn(catalog, told);
  catalog.forget({ kind, name });
  return undefined;
}

/** Neither side has it: what the local side says, and what the catalog suggests. */
async function missing(
  { catalog, served, sharedSkills }: Asked,
  { kind }: Named,
  name: string,
  { result, told }: { result: CallToolResult; told: Told },
): Promise<CallToolResult> {
  if (result.isError !== true) return result;
  if (told.kind === 'silent') {
    // It exists, but not all of it was asked for when the catalog answered.
    const local = catalog.hasKept({ kind, name }) ? failed(keptInPart(kind, name)) : result;
    return withNote(withCatalog(local, catalog, told), `${noteOn(catalog, told) ?? ''} ${told.advice}`);
  }
  const joined = withCatalog(result, catalog, told);
  // A name that would load something local does not lead to what is meant.
  const near = await withoutLocal(errorOf(told.result)?.suggestions ?? [], (name) => name, { served, kind });
  const did =
    near.length === 0 ? '' : ` Did you mean: ${near.slice(0, LIMITS.suggestions.value).map(echo).join(', ')}?`;
  const suggestions = [...(errorOf(result)?.suggestions ?? []), ...near].slice(0, LIMITS.suggestions.value);
  const { searchTool } = served;
  // The list of what there is has only local skills.
  const search =
    kind === 'skill' && sharedSkills > 0 && searchTool !== undefined
      ? ` It has ${count(sharedSkills, 'skill')}, which ${searchTool} finds.`
      : '';
  const note = `The shared catalog has no ${kind} of that name either.${search}${did}`;
  return withSuggestions(withNote(joined, note), suggestions);
}

function keptInPart(kind: Kind, name: string): Failure {
  return new Failure('NOT_FOUND', `Only a part of the shared ${kind} '${echo(name)}' was kept, and this is not in it.`);
}

/** The full names by which the catalog has skills of that name, if it says so in time. Looking for them counts as no load. */
async function otherNames({ catalog }: Asked, name: string): Promise<string[]> {
  const told = await catalog.ask({ tool: 'skill_file', args: { name, limit: 1 }, waitMs: JOIN_MS });
  if (told.kind === 'silent') return [];
  const error = errorOf(told.result);
  if (error) return error.code === 'AMBIGUOUS' ? (error.suggestions ?? []) : [];
  const { fullName } = factsOf(told.result);
  return typeof fullName === 'string' ? [fullName] : [];
}

function tellOfOther(result: CallToolResult, names: readonly string[]): CallToolResult {
  if (names.length === 0) return result;
  const list = names.slice(0, LIMITS.suggestions.value).map(echo).join(' or ');
  const note = `This is the local skill of that name. The shared catalog has another: load it as ${list}.`;
  return withFacts(withNote(result, note), { shared: [...names] });
}
