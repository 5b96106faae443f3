/** Refusals in plain JSON, in the same format as `--json` and the tools. */
import type { FailureCode } from '../core/failure.ts';

const CODES = {
  400: 'USAGE',
  401: 'REFUSED',
  403: 'REFUSED',
  404: 'NOT_FOUND',
  405: 'USAGE',
  409: 'CONFLICT',
  413: 'USAGE',
  415: 'USAGE',
  422: 'REFUSED',
  500: 'INTERNAL',
  503: 'REFUSED',
} as const satisfies Record<number, FailureCode>;

/** A refusal loads nothing, even if a browser shows it as a page. */
const POLICY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export function refuse(status: keyof typeof CODES, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code: CODES[status], message } }, { status, headers: { ...POLICY, ...headers } });
}
