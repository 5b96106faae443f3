/**
 * A request that does not even have the protocol's form is refused by the SDK with the whole list of its schema's
 * complaints. Whoever reads that is a model or a person: one sentence says more.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isRecord } from '../core/json-file.ts';
import { echo } from '../core/text.ts';

const INVALID_PARAMS = -32602;
const DUMP = /^(?:Invalid \S+ request: )?(?<issues>\[\s*\{.*\}\s*\])$/su;
const KINDS: Readonly<Record<string, string>> = {
  record: 'an object',
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
};

/** Lets the transport send such refusals as one sentence. */
export function speakPlainly(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(inPlainWords(message), options);
}

function inPlainWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const dump = DUMP.exec(message.error.message)?.groups?.['issues'];
  const said = dump === undefined ? undefined : sentence(dump);
  return said === undefined ? message : { ...message, error: { code: INVALID_PARAMS, message: said } };
}

function sentence(dump: string): string | undefined {
  const issue = readIssues(dump)?.[0];
  if (!issue) return undefined;
  const [first, ...rest] = issue.path;
  const place = echo((first === 'params' && rest.length > 0 ? rest : issue.path).join('.'));
  const received = /received (?<kind>\w+)$/u.exec(issue.message)?.groups?.['kind'];
  if (received === 'undefined')
    return place === 'params' ? 'Invalid params: there are none.' : `Invalid params: ${place} is required.`;
  const wanted = KINDS[issue.expected ?? ''];
  if (wanted === undefined || received === undefined) return `Invalid params: ${place}: ${echo(issue.message)}.`;
  return `Invalid params: ${place} must be ${wanted}, not ${KINDS[received] ?? received}.`;
}

interface Issue {
  path: (string | number)[];
  message: string;
  expected?: string;
}

function readIssues(dump: string): Issue[] | undefined {
  try {
    const issues: unknown = JSON.parse(dump);
    return Array.isArray(issues) && issues.every(isIssue) ? issues : undefined;
  } catch {
    return undefined;
  }
}

function isIssue(issue: unknown): issue is Issue {
  return isRecord(issue) && Array.isArray(issue['path']) && typeof issue['message'] === 'string';
}
