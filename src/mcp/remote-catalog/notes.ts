/** Notes about the shared catalog in replies: text for models, `_meta` for programs. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRecord } from '../../core/json-file.ts';
import { oneLine } from '../../core/text.ts';
import { CATALOG_KEY, ERROR_KEY, FACTS_KEY, SNAPSHOT_KEY } from '../meta-keys.ts';
import type { RemoteCatalog, RemoteAnswer } from './remote-catalog.ts';
import type { ErrorFacts } from './checked-result.ts';

/** Explains why an answer has no current data from the shared catalog. Returns undefined if it has. */
export function noteOn({ url }: RemoteCatalog, answer: RemoteAnswer): string | undefined {
  const catalog = `The shared catalog at ${url}`;
  if (answer.kind === 'unreachable') return `${catalog} ${answer.reason}, so only local items were searched.`;
  if (answer.cached)
    return `${catalog} ${answer.cached.reason}; this is a cached answer of ${answer.cached.at.toISOString()}, snapshot ${answer.snapshot}.`;
  const error = errorOf(answer.result);
  return error && `${catalog} failed, so only local items were searched: ${oneLine(error.message)}`;
}

/** Turns an answer of the shared catalog into a reply of this server. */
export function passedOn(catalog: RemoteCatalog, answer: Extract<RemoteAnswer, { kind: 'answer' }>): CallToolResult {
  return withNote(withCatalog(answer.result, catalog, answer), answer.cached && noteOn(catalog, answer));
}

export function withCatalog(result: CallToolResult, { url }: RemoteCatalog, answer: RemoteAnswer): CallToolResult {
  const facts =
    answer.kind === 'unreachable'
      ? { url, silent: answer.reason }
      : { url, snapshot: answer.snapshot, ...(answer.cached ? { keptAt: answer.cached.at.toISOString() } : {}) };
  const snapshot = answer.kind === 'answer' ? { [SNAPSHOT_KEY]: answer.snapshot } : {};
  return { ...result, _meta: { ...result._meta, ...snapshot, [CATALOG_KEY]: facts } };
}

/** Adds the note to the text, and to structured content, which some agents show instead. */
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

/** Error details of a failed call. */
export function errorOf({ isError, _meta }: CallToolResult): ErrorFacts | undefined {
  const error = _meta?.[ERROR_KEY];
  return isError === true && isRecord(error) ? (error as unknown as ErrorFacts) : undefined;
}

export function factsOf({ _meta }: CallToolResult): Record<string, unknown> {
  const facts = _meta?.[FACTS_KEY];
  return isRecord(facts) ? facts : {};
}
