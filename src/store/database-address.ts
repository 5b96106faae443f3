/** Checks database URLs and explains problems with them. A URL may contain a password, so no message repeats it. */
import { Failure } from '../core/failure.ts';

/** Modes that the client treats as `verify-full`, with a warning on every start. */
const VERIFIED = new Set(['prefer', 'require', 'verify-ca']);

const OTHER_MODES = ['verify-full', 'no-verify', 'disable'];

/** Throws if the URL is not a PostgreSQL URL. Every mode that requests encryption also verifies the certificate. */
export function checkedAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(?:ql)?:$/u.test(parsed.protocol)) {
    throw new Failure('USAGE', 'The database URL is not a valid PostgreSQL URL.', {
      hint: 'For example postgres://lectern@db.example.com:5432/lectern. Percent-encode special characters in the password, such as %40 for @.',
    });
  }
  const mode = parsed.searchParams.get('sslmode') ?? '';
  if (mode !== '' && !VERIFIED.has(mode) && !OTHER_MODES.includes(mode)) {
    throw new Failure('USAGE', 'The database URL has an unknown sslmode.', {
      hint: `Choose ${[...VERIFIED, ...OTHER_MODES].join(', ')}.`,
    });
  }
  if (!VERIFIED.has(mode) || parsed.searchParams.has('uselibpqcompat')) return url;
  return url.replace(`sslmode=${mode}`, 'sslmode=verify-full');
}

/** TLS error codes of OpenSSL and Node.js: untrusted certificates and unsupported protocols. */
const OF_TLS = /CERT|^ERR_(?:TLS|SSL)_|^UNABLE_TO_|HOSTNAME_MISMATCH/u;

export function isOfTls(code: unknown): boolean {
  return OF_TLS.test(String(code));
}

export const TLS_HINT =
  'Add the CA certificate to the URL, as in ?sslmode=verify-full&sslrootcert=/etc/ssl/db.crt. sslmode=no-verify encrypts without verifying the certificate.';
