/** Explains why another server returned no usable response, and how to fix it. */
import { echo } from './text.ts';

export interface NoAnswer {
  /** Continues a sentence that starts with the address: "https://skills.example.com …". */
  reason: string;
  hint: string;
  /** True if retrying does not help until the configuration is changed. */
  lasts: boolean;
}

const CHECK = 'Check the address, and whether the server is running.';

/** OpenSSL's error codes for certificate chains that are not trusted on this machine. */
const UNTRUSTED = new Set([
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const BY_CODE: Readonly<Record<string, NoAnswer>> = {
  CERT_HAS_EXPIRED: {
    reason: 'has a certificate that has expired',
    hint: 'Contact the server’s operator; if its certificate is valid, check the clock of this machine.',
    lasts: true,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'has a certificate for another host name',
    hint: 'Use the host name in the certificate, or contact the server’s operator.',
    lasts: true,
  },
  ENOTFOUND: {
    reason: 'cannot be reached: its host name is not found',
    hint: 'Check the address, and whether this machine can resolve it.',
    lasts: false,
  },
  ECONNREFUSED: { reason: 'cannot be reached: the connection is refused', hint: CHECK, lasts: false },
  ECONNRESET: { reason: 'closed the connection without an answer', hint: CHECK, lasts: false },
  ETIMEDOUT: {
    reason: 'does not answer in time',
    hint: 'Check the address, and whether a proxy or a firewall is in between.',
    lasts: false,
  },
};

const ALIASES: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'ENOTFOUND',
  EHOSTUNREACH: 'ETIMEDOUT',
  ENETUNREACH: 'ETIMEDOUT',
  EPIPE: 'ECONNRESET',
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_HEADERS_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_BODY_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_SOCKET: 'ECONNRESET',
};

/** Explains an error thrown by `fetch`, which hides the cause below the generic error "fetch failed". */
export function whyNoAnswer(error: unknown): NoAnswer {
  const code = codeIn(error);
  if (UNTRUSTED.has(code)) {
    return {
      reason: 'has a certificate that is not trusted here',
      hint: 'If your company has a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificate file.',
      lasts: true,
    };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return {
      reason: 'does not support https there',
      hint: 'Check the port, and whether the address begins with http:// or https://.',
      lasts: true,
    };
  }
  return BY_CODE[ALIASES[code] ?? code] ?? { reason: 'does not answer', hint: CHECK, lasts: false };
}

/** Explains a redirect. Redirects are not followed, because the token is only for the configured address. */
export function whyRedirected(asked: string, status: number, location: string | null): NoAnswer {
  const from = new URL(asked);
  const to = location !== null && URL.canParse(location, asked) ? new URL(location, asked) : undefined;
  // The query is omitted because sign-in pages put private data in it.
  const where = to === undefined ? 'nowhere' : echo(to.origin === from.origin ? to.origin + to.pathname : to.origin);
  return {
    reason: `answered ${status}, a redirect to ${where}`,
    hint: 'Use the final address: a token is never sent to the target of a redirect.',
    lasts: true,
  };
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function codeIn(error: unknown): string {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    if (each.name === 'TimeoutError') return 'ETIMEDOUT';
    if ('code' in each && typeof each.code === 'string') return each.code;
    // Contains one error for each address of the host.
    if (each instanceof AggregateError && each.errors.length > 0) return codeIn(each.errors[0]);
  }
  return '';
}
