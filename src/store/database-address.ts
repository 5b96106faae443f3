/** The address of a database, as people write it, and what to tell them of one that cannot be used. It may hold a password: nothing here repeats it. */
import { Failure } from '../core/failure.ts';

/** Modes that the client takes for `verify-full` too, with a warning on every start. */
const VERIFIED = new Set(['prefer', 'require', 'verify-ca']);

const OTHER_MODES = ['verify-full', 'no-verify', 'disable'];

/** Fails if it is no address of PostgreSQL. Whoever asks for encryption gets a server whose certificate was checked. */
export function checkedAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(?:ql)?:$/u.test(parsed.protocol)) {
    throw new Failure('USAGE', 'That is not the address of a PostgreSQL database.', {
      hint: 'For example postgres://lectern@db.example.com:5432/lectern. Write special characters in a password as %40 and so on.',
    });
  }
  const mode = parsed.searchParams.get('sslmode') ?? '';
  if (mode !== '' && !VERIFIED.has(mode) && !OTHER_MODES.includes(mode)) {
    throw new Failure('USAGE', 'The address of the database has an unknown sslmode.', {
      hint: `Choose ${[...VERIFIED, ...OTHER_MODES].join(', ')}.`,
    });
  }
  if (!VERIFIED.has(mode) || parsed.searchParams.has('uselibpqcompat')) return url;
  return url.replace(`sslmode=${mode}`, 'sslmode=verify-full');
}

/** Of OpenSSL and Node.js: whom they trust, and what the server cannot speak. */
const OF_TLS = /CERT|^ERR_(?:TLS|SSL)_|^UNABLE_TO_|HOSTNAME_MISMATCH/u;

export function isOfTls(code: unknown): boolean {
  return OF_TLS.test(String(code));
}

export const TLS_HINT =
  'Name the certificate of the authority in the address, as in ?sslmode=verify-full&sslrootcert=/etc/ssl/db.crt; sslmode=no-verify encrypts without checking.';
