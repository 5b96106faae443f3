/** HTTP headers of the web interface. */

/**
 * Nothing loads from other origins, inline scripts and styles are blocked, and only our own policy may turn text into markup.
 * File content that reached a page as markup by mistake would still have no effect.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lectern',
].join('; ');

export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** For pages with a form: with `no-referrer`, browsers would send `Origin: null`. Other servers still receive nothing. */
export const FORM_HEADERS: Readonly<Record<string, string>> = { ...HEADERS, 'referrer-policy': 'same-origin' };

/** For files of skills: even if a browser displays one, it cannot run scripts or load anything. */
export const FILE_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

export function reply(body: string, type: string, { status = 200, headers = HEADERS } = {}): Response {
  return new Response(body, { status, headers: { ...headers, 'content-type': type } });
}
