/** The log of a replica on standard error: lines for people, or JSON for log collectors. */
import type { RequestRecord } from '../../server/request-record.ts';
import { bugId, type ExplainedError } from '../../core/failure.ts';
import { jsonText } from '../../core/text.ts';
import type { ProcessEdge } from '../command.ts';
import { logTo } from './mcp.ts';

/** Requests are logged only with --verbose, because there may be a thousand per second. */
export function textLog(edge: ProcessEdge, verbose: boolean) {
  return {
    ...logTo(edge),
    request: ({ verb, path, status, ms, ...facts }: RequestRecord): void => {
      if (!verbose) return;
      const more = Object.entries(facts).map(([name, value]) => ` ${name}=${String(value)}`);
      edge.say(`${verb} ${path} ${status} in ${ms} ms${more.join('')}`);
    },
  };
}

export function jsonLog(edge: ProcessEdge) {
  const say = (level: 'info' | 'warn' | 'error', message: string, facts: object = {}): void =>
    edge.record(jsonText({ time: new Date().toISOString(), level, message, ...facts }));
  return {
    info: (text: string) => say('info', text),
    warn: (text: string) => say('warn', text),
    /** The replica cannot start. */
    failed: ({ message, ...facts }: ExplainedError) => say('error', message, facts),
    bug: (error: unknown) => {
      const { message = String(error), stack } = error instanceof Error ? error : {};
      say('error', `internal error ${bugId(error)}: ${message}`, stack === undefined ? {} : { stack });
    },
    request: (record: RequestRecord) => say(record.status >= 500 ? 'warn' : 'info', 'request', record),
  };
}
