/** Log record of a request: caller, tool and outcome. Never contains secrets, contents or queries. */
import type { Answered } from '../http/listen.ts';
import { RequestContext } from '../hub/request-context.ts';

export interface RequestRecord {
  /** HTTP method. */
  verb: string;
  /** Route pattern. */
  path: string;
  status: number;
  ms: number;
  /** The client disconnected. */
  cut?: true;
  snapshot?: number;
  /** Token ID as shown by `lectern token list`, or the subject of an OAuth token. */
  caller?: number | string;
  /** Trace ID of the caller. */
  trace?: string;
  /** Fields added by the handler: protocol method, tool and outcome. */
  [field: string]: string | number | boolean | undefined;
}

/** Probes arrive every few seconds and are logged only on failure. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Returns undefined if the request is not logged. */
export function recordOf({
  method,
  path,
  status,
  ms,
  isCut,
  who,
  traceparent,
  fields,
}: Answered): RequestRecord | undefined {
  if (PROBES.has(path) && status < 400) return undefined;
  const trace = traceOf(traceparent);
  const { caller, catalog } = who instanceof RequestContext ? who : {};
  return {
    verb: method,
    path,
    status,
    ms: Math.round(ms * 100) / 100,
    ...(isCut ? { cut: true } : {}),
    ...(catalog === undefined ? {} : { snapshot: catalog.number }),
    ...(caller === undefined ? {} : { caller: caller.tokenId ?? caller.actor }),
    ...(trace === undefined ? {} : { trace }),
    ...fields,
  };
}

/**
 * Trace ID of a `traceparent` header (W3C Trace Context). Invalid headers are ignored, as the standard requires: IDs of zeros and
 * version ff are invalid, and only later versions may have more parts.
 */
export function traceOf(header: string | undefined): string | undefined {
  const [, version, trace, parent, more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/u.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return /^0+$/u.test(trace ?? '') || /^0+$/u.test(parent ?? '') ? undefined : trace;
}
