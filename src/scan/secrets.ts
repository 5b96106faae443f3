/**
 * Finds secrets, both to report them and to mask them in quoted evidence: a report must not leak the secrets it warns
 * about.
 */

export interface Span {
  start: number;
  end: number;
  what: string;
  /** Number of characters left readable when masked. */
  shown: number;
  /** Looks like an example value rather than a real secret. */
  placeholder: boolean;
}

interface Shape {
  what: string;
  /** Fixed strings, one of which occurs in every match. */
  hints: readonly string[];
  pattern: RegExp;
}

/** No pattern has unbounded gaps, so each takes linear time. */
const SHAPES: readonly Shape[] = [
  { what: 'an AWS access key', hints: ['AKIA', 'ASIA'], pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu },
  {
    what: 'a GitHub token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b/gu,
  },
  { what: 'a GitLab token', hints: ['glpat-', 'gldt-', 'glrt-'], pattern: /\bgl(?:pat|dt|rt)-[\w-]{20,64}/gu },
  { what: 'an Anthropic key', hints: ['sk-ant-'], pattern: /\bsk-ant-[\w-]{20,200}/gu },
  {
    what: 'an OpenAI key',
    hints: ['sk-'],
    pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_]{20,200}(?:-[\w-]{1,200})?/gu,
  },
  { what: 'a Google API key', hints: ['AIza'], pattern: /\bAIza[\w-]{35}\b/gu },
  { what: 'a Slack token', hints: ['xox'], pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,200}/gu },
  {
    what: 'a Slack webhook',
    hints: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/services\/T\w{6,12}\/B\w{6,12}\/\w{16,32}/gu,
  },
  {
    what: 'a Discord webhook',
    hints: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,21}\/[\w-]{50,80}/gu,
  },
  { what: 'a Telegram bot token', hints: [':AA'], pattern: /\b\d{8,10}:AA[\w-]{32,34}\b/gu },
  { what: 'a Stripe key', hints: ['k_live_'], pattern: /\b[rs]k_live_[A-Za-z0-9]{16,120}/gu },
  { what: 'an npm token', hints: ['npm_'], pattern: /\bnpm_[A-Za-z0-9]{36}\b/gu },
  { what: 'a PyPI token', hints: ['pypi-'], pattern: /\bpypi-AgE[\w-]{50,250}/gu },
  { what: 'a Hugging Face token', hints: ['hf_'], pattern: /\bhf_[A-Za-z0-9]{30,60}\b/gu },
  { what: 'a SendGrid key', hints: ['SG.'], pattern: /\bSG\.[\w-]{20,24}\.[\w-]{39,50}/gu },
  { what: 'a JSON web token', hints: ['eyJ'], pattern: /\beyJ[\w-]{10,500}\.eyJ[\w-]{10,2000}\.[\w-]{10,1000}/gu },
  {
    what: 'a private key',
    hints: ['-----BEGIN'],
    pattern: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----/gu,
  },
  {
    what: 'a password in a URL',
    hints: ['://'],
    pattern:
      /\b(?:https?|ftp|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqps?|ssh):\/\/[\w.%-]{1,64}:([^\s:@/"'`<>]{3,128})(?=@[\w.-])/gu,
  },
  {
    what: 'a secret value',
    hints: ['key', 'secret', 'token', 'passw', 'pwd'],
    pattern:
      /(?:api[_-]?key|secret[_-]?key|client[_-]?secret|access[_-]?token|auth[_-]?token|private[_-]?key|passwo?r?d|secret|token)["']?\s{0,3}(?:=>|[:=])\s{0,3}["']?([a-z0-9_+/=.~!@#%^&*-]{12,256})(?=["'\s,;)]|$)/gu,
  },
];

const PLACEHOLDER =
  /example|sample|dummy|placeholder|your|xxx|\.\.\.|fake|test|demo|changeme|change_me|insert|replace|redacted|<|>|\$|\{|\*{3}|abcdef|123456|secret|password|process\.env|os\.environ|getenv|env\.|config\.|settings\.|_key$|_token$/iu;

/** Takes the original text and its lower-case form. */
export function secretSpans(text: string, low: string): Span[] {
  const spans: Span[] = [];
  for (const { what, hints, pattern } of SHAPES) {
    // The name of a secret is case-insensitive; its value is not.
    const searched = what === 'a secret value' ? low : text;
    if (!hints.some((hint) => searched.includes(hint))) continue;
    let covered = 0;
    for (const match of searched.matchAll(pattern)) {
      if (match.index < covered) continue;
      const end = match.index + match[0].length;
      const value = text.slice(end - (match[1] ?? match[0]).length, end);
      if (what === 'a private key') {
        const body = keyBody(text, end);
        covered = end + body.length;
        spans.push({ start: match.index, end: covered, what, shown: value.length, placeholder: !isKey(body) });
      } else if (what !== 'a secret value' || isRandom(value)) {
        const isLoose = match[1] !== undefined;
        const placeholder = isPlaceholder(value, isLoose);
        spans.push({ start: end - value.length, end, what, shown: isLoose ? 2 : SHOWN_CHARACTERS, placeholder });
      }
    }
  }
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** A real key looks random: many different characters, letters and digits mixed. */
function isPlaceholder(value: string, isLoose: boolean): boolean {
  return PLACEHOLDER.test(value) || new Set(value).size < (isLoose ? 5 : 8) || /(.)\1{5}/u.test(value);
}

function isRandom(value: string): boolean {
  const kinds = [/[a-z]/u, /[A-Z]/u, /\d/u].filter((kind) => kind.test(value)).length;
  return (
    value.length >= 16 && kinds >= 2 && /\d/u.test(value) && new Set(value).size >= 10 && !/[.(]\w+[.(]/u.test(value)
  );
}

/** Reads the body of a key, which follows the first line as separate lines or as `\n` escapes. */
function keyBody(text: string, from: number): string {
  return /^(?:\\n|[\sA-Za-z0-9+/=:,-])*/u.exec(text.slice(from, from + KEY_CHARACTERS))?.[0] ?? '';
}

function isKey(body: string): boolean {
  return /[A-Za-z0-9+/=]{40}/u.test(body) && !PLACEHOLDER.test(body.slice(0, 80));
}

const KEY_CHARACTERS = 8_192;
const SHOWN_CHARACTERS = 4;

/** Returns part of a text with its secrets masked, leaving enough to recognize each one. */
export function writeMasked(text: string, from: number, to: number, spans: readonly Span[]): string {
  let [written, at] = ['', from];
  for (const { start, end, shown } of spans) {
    if (start >= to) break;
    if (end <= at) continue;
    written += text.slice(at, Math.max(at, start));
    written += start >= at ? `${text.slice(start, Math.min(start + shown, end, to))}****` : '****';
    at = Math.min(end, to);
  }
  return written + text.slice(at, to);
}
