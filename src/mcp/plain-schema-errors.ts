/**
 * If a request does not match the protocol schema, the SDK replies with the whole list of schema issues as JSON. Models and users
 * read the reply, so it is reduced to one sentence about the first issue.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { isRecord } from '../core/json-file.ts';
import { echo } from '../core/text.ts';
import { INVALID_PARAMS } from './messages.ts';

const ISSUES = /^(?:Invalid \S+ request: )?(?<issues>\[\s*\{.*\}\s*\])$/su;
const TYPE_NAMES: Readonly<Record<string, string>> = {
  record: 'an object',
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
};

/** Wraps `send` of the transport to simplify its errors. */
export function simplifySchemaErrors(transport: Transport): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(simplify(message), options);
}

function simplify(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const [issue] = parseIssues(ISSUES.exec(message.error.message)?.groups?.['issues'] ?? '[]');
  return issue ? { ...message, error: { code: INVALID_PARAMS, message: sentence(issue) } } : message;
}

function sentence(issue: Issue): string {
  const [first, ...rest] = issue.path;
  const place = echo((first === 'params' && rest.length > 0 ? rest : issue.path).join('.'));
  const received = /received (?<type>\w+)$/u.exec(issue.message)?.groups?.['type'];
  if (received === 'undefined') return `Invalid params: ${place} is required.`;
  const wanted = TYPE_NAMES[issue.expected ?? ''];
  if (wanted === undefined || received === undefined) return `Invalid params: ${place}: ${echo(issue.message)}.`;
  return `Invalid params: ${place} must be ${wanted}, not ${TYPE_NAMES[received] ?? received}.`;
}

interface Issue {
  path: (string | number)[];
  message: string;
  expected?: string;
}

function parseIssues(json: string): Issue[] {
  try {
    const issues: unknown = JSON.parse(json);
    return Array.isArray(issues) && issues.every(isIssue) ? issues : [];
  } catch {
    return [];
  }
}

function isIssue(issue: unknown): issue is Issue {
  return isRecord(issue) && Array.isArray(issue['path']) && typeof issue['message'] === 'string';
}
