/** What a reply says about the shared catalog: in words for models, and in `_meta` for programs. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import { oneLine } from '../../core/text.ts';
import { CATALOG_KEY, ERROR_KEY, FACTS_KEY, SNAPSHOT_KEY } from '../meta-keys.ts';
import type { AskedCatalog, Told } from './asked-catalog.ts';
import type { ErrorFacts } from './checked-result.ts';

/** Why an answer has nothing, or nothing new, from the catalog; undefined if it has. */
export function noteOn({ url }: AskedCatalog, told: Told): string | undefined {
  const catalog = `The shared catalog at ${url}`;
  if (told.kind === 'silent') return `${catalog} ${told.reason}, so only what is local was looked at.`;
  if (told.kept)
    return `${catalog} ${told.kept.reason}; this is the copy of ${told.kept.at.toISOString()}, snapshot ${told.snapshot}.`;
  const error = errorOf(told.result);
  return error && `${catalog} failed, so only what is local was looked at: ${oneLine(error.message)}`;
}

/** The answer of the catalog as that of this server. */
export function passedOn(catalog: AskedCatalog, told: Extract<Told, { kind: 'told' }>): CallToolResult {
  return withNote(withCatalog(told.result, catalog, told), told.kept && noteOn(catalog, told));
}

export function withCatalog(result: CallToolResult, { url }: AskedCatalog, told: Told): CallToolResult {
  const facts =
    told.kind === 'silent'
      ? { url, silent: told.reason }
      : { url, snapshot: told.snapshot, ...(told.kept ? { keptAt: told.kept.at.toISOString() } : {}) };
  const snapshot = told.kind === 'told' ? { [SNAPSHOT_KEY]: told.snapshot } : {};
  return { ...result, _meta: { ...result._meta, ...snapshot, [CATALOG_KEY]: facts } };
}

/** In the text, and where agents show structured content instead of it, in that too. */
export function withNote(result: CallToolResult, note: string | undefined): CallToolResult {
  if (note === undefined) return result;
  const { structuredContent, isError = false } = result;
  const [first, ...rest] = result.content;
  const text = first?.type === 'text' ? first.text : '';
  if (isRecord(structuredContent)) {
    const data = { ...structuredContent, note };
    const isData = text.startsWith('{');
    return {
      ...result,
      structuredContent: data,
      content: [{ type: 'text', text: isData ? JSON.stringify(data) : `${text}\n${note}` }, ...rest],
    };
  }
  const noted: CallToolResult = {
    ...result,
    content: [{ type: 'text', text: isError ? `${text}\n\n${note}` : `${text}\n\n[${note}]` }, ...rest],
  };
  const error = errorOf(result);
  if (!error) return noted;
  const hint = [error.hint, note].filter((part) => part !== undefined).join(' ');
  return { ...noted, _meta: { ...result._meta, [ERROR_KEY]: { ...error, hint } } };
}

export function withFacts(result: CallToolResult, facts: Readonly<Record<string, unknown>>): CallToolResult {
  const known = result._meta?.[FACTS_KEY];
  return { ...result, _meta: { ...result._meta, [FACTS_KEY]: { ...(isRecord(known) ? known : {}), ...facts } } };
}

export function withSuggestions(result: CallToolResult, suggestions: readonly string[]): CallToolResult {
  const error = errorOf(result);
  if (!error || suggestions.length === 0) return result;
  return { ...result, _meta: { ...result._meta, [ERROR_KEY]: { ...error, suggestions: [...suggestions] } } };
}

/** Of a failed call. */
export function errorOf({ isError, _meta }: CallToolResult): ErrorFacts | undefined {
  const error = _meta?.[ERROR_KEY];
  return isError === true && isRecord(error) ? (error as unknown as ErrorFacts) : undefined;
}

export function factsOf({ _meta }: CallToolResult): Record<string, unknown> {
  const facts = _meta?.[FACTS_KEY];
  return isRecord(facts) ? facts : {};
}
