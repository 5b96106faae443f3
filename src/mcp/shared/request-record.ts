/** What the log has of a request: who asked for which tool, and how it went. Never a secret, a content or a query. */
import type { Answered } from '../../http/listen.ts';
import { Present } from './callers.ts';

export interface RequestRecord {
  /** Of HTTP. */
  verb: string;
  /** As the route spells it. */
  path: string;
  status: number;
  ms: number;
  /** The caller hung up. */
  cut?: true;
  snapshot?: number;
  /** The id of the token, as `lectern token list` shows it, or the name that an authorization server vouches for. */
  caller?: number | string;
  /** The id of the trace that the caller is part of. */
  trace?: string;
  /** What the handler noted: the method of the protocol, the tool, and its outcome. */
  [fact: string]: string | number | boolean | undefined;
}

/** Asked every few seconds by those who watch a replica, and worth a line only if something is wrong. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Undefined if it is not worth a line. */
export function recordOf({
  method,
  path,
  status,
  ms,
  isCut,
  who,
  traceparent,
  facts,
}: Answered): RequestRecord | undefined {
  if (PROBES.has(path) && status < 400) return undefined;
  const trace = traceOf(traceparent);
  const { caller, catalog } = who instanceof Present ? who : {};
  return {
    verb: method,
    path,
    status,
    ms: Math.round(ms * 100) / 100,
    ...(isCut ? { cut: true } : {}),
    ...(catalog === undefined ? {} : { snapshot: catalog.number }),
    ...(caller === undefined ? {} : { caller: caller.tokenId ?? caller.actor }),
    ...(trace === undefined ? {} : { trace }),
    ...facts,
  };
}

/**
 * The trace id of a `traceparent` header, as W3C Trace Context has it. One that does not fit is ignored, as it asks: ids of zeros
 * and the version ff are invalid, and only later versions may have more parts.
 */
export function traceOf(header: string | undefined): string | undefined {
  const [, version, trace, parent, more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/u.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return /^0+$/u.test(trace ?? '') || /^0+$/u.test(parent ?? '') ? undefined : trace;
}
