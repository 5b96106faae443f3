/** The headers of every reply of the page. */

/**
 * Nothing is loaded from elsewhere, no script and no style stands in the markup, and only our own policy may turn text into
 * markup. So text from a file that reached the page as markup by mistake would still do nothing.
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

/** For pages with a form: with the policy above, browsers would not say that the form is ours. Other servers still learn nothing. */
export const FORM_HEADERS: Readonly<Record<string, string>> = { ...HEADERS, 'referrer-policy': 'same-origin' };

/** For files of skills: if a browser shows one after all, it runs nothing and reaches nothing. */
export const FILE_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

export function reply(body: string, type: string, { status = 200, headers = HEADERS } = {}): Response {
  return new Response(body, { status, headers: { ...headers, 'content-type': type } });
}
