import { READS_NAME, usesOf } from '../names.ts';
import { type Hit, matchesIn, scanRule, sequencesIn } from '../rule.ts';
import { SECRET_FILE } from '../sensitive.ts';

export const credentialsRead = scanRule({
  code: 'credentials-read',
  category: 'credential-access',
  level: 'high',
  hints: [
    '.ssh',
    'id_rsa',
    'id_ed25519',
    'id_ecdsa',
    'id_dsa',
    '.aws',
    '.azure',
    'gcloud',
    'application_default_credentials',
    '.kube',
    '.docker/',
    '.netrc',
    '.npmrc',
    '.pypirc',
    'git-credentials',
    'hosts.yml',
    '.gnupg',
    '.pgpass',
    'vault-token',
    '/etc/shadow',
    'login data',
    'cookies.sqlite',
    'key3.db',
    'key4.db',
    'logins.json',
    'keychain',
    'wallet',
    'solana',
    'ethereum',
    'electrum',
    'exodus',
    'metamask',
    'phantom',
    '.credentials.json',
    'auth.json',
    '_history',
    'find-generic',
    'find-internet',
    'secret-tool',
    'kwallet',
    'vaultcmd',
    'cmdkey',
    'mimikatz',
    'lazagne',
    'sekurlsa',
    'lsass',
    'keyring',
    'op item',
    'browser_cookie',
    '.env',
    '.pem',
    'credential',
    '.key',
    'cryptunprotect',
    'printenv',
    'env ',
    'dump',
    '169.254',
    'metadata.google',
    'ssh key',
    'private key',
    'api key',
    'credentials',
    'passwords',
    'seed phrase',
    'access token',
    'secrets',
    'password',
    'recovery',
    'verification code',
    'credit card',
    'card number',
    'pynput',
    'keyboard.on_',
    'getasynckeystate',
    'pam_exec',
    'one-time',
    '2fa',
    'environ',
    'clipboard',
    'pbpaste',
    'credential fill',
    'cookies',
    'local state',
    'web data',
  ],
  nature: 'action',
  title: 'Access to keys, tokens or passwords',
  about:
    'Malicious skills look for private keys, cloud credentials, browser passwords, keychains and wallets. Naming such a file in documentation is low. Reading it is high.',
  fix: 'Leave the credentials to the tool that owns them, or ask the user for the one you need.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/run.sh': 'KEY=$(cat ~/.ssh/id_rsa)' },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/run.sh': 'ssh-add -l' },
  *find({ texts }) {
    for (const file of texts) {
      for (const { matches, ...place } of sequencesIn(file, [READS, FILES], 60)) {
        // In prose, these verbs may also describe a tool.
        const isDescribed = file.kind === 'prose' && /^(?:read|send|upload|type)$/u.test(matches[0]?.[0] ?? '');
        const level = isOfTool(matches[1]?.[0] ?? '') ? 'low' : isDescribed ? 'medium' : 'high';
        yield { ...place, level, message: 'reads a file with keys, tokens or passwords' };
      }
      for (const { matches: _, ...place } of sequencesIn(file, [FILES, READ_AFTER], 20))
        yield { ...place, level: 'high', message: 'reads a file with keys, tokens or passwords' };
      for (const place of usesOf(file, FILES, READS_NAME))
        if (!isOfTool(file.low.slice(place.start, place.end)))
          yield { ...place, level: 'high', message: 'reads a file with keys, tokens or passwords' };
      for (const place of matchesIn(file, PROMPTS))
        yield { ...place, level: 'high', message: 'asks the user for a password or a recovery phrase' };
      for (const place of matchesIn(file, ASKS))
        yield { ...place, level: 'high', message: 'requests stored keys or passwords from the system' };
      for (const hit of metadata(matchesIn(file, METADATA))) yield hit;
      for (const place of matchesIn(file, WORDS))
        yield { ...place, level: 'high', message: 'asks the agent to collect keys, tokens or passwords' };
    }
  },
});

const READS =
  /\b(?:cat|less|head|tail|base64|xxd|cp|tar|zip|strings|grep|type|get-content|gc|awk|sed|openssl|scp|rsync|dd|read)\b(?=\s)|\bopen\(|\.read_text\(|\bread_text\(|\breadfile(?:sync)?\(|\bfile\.read\(|\bfs\.\w{0,30}?read\w{0,30}\(|\bpath\(|\bexpanduser\(|\bshutil\.copy\w*\(|\bsqlite3?(?:\.connect\(|\s)|<\s?(?=~|\$|\/)|--data-binary\s+@|@(?=~\/\.)|\bupload\b|\bsend\b/gu;
/** Settings of tools, which hold a token only sometimes. */
function isOfTool(path: string): boolean {
  return /\.npmrc|\.kube\/config|\.aws\/config|\.docker\/config\.json|\.ssh["'\s,)]{0,4}\/["'\s(]{0,3}config|\.config\/gcloud/u.test(
    path,
  );
}

/** A window or a sentence that asks for a secret which no skill needs. */
const PROMPTS =
  /\bosascript\b[^\n]{0,200}display dialog[^\n]{0,160}(?:password|hidden answer)|\b(?:zenity|kdialog) --password|\b(?:ask|tell|prompt|get|instruct|have|request) (?:the )?user (?:to (?:type|enter|paste|provide|share|send|give)|for|into giving)[^.\n]{0,60}\b(?:seed phrase|recovery phrase|private key|master password|(?:login|account|bank|email|apple id|google|system|sudo|root) password|password (?:of|for) (?:their|the) (?:account|machine|computer|mac|email)|one-time (?:code|password)|2fa code|verification code|credit card|card number|cvv)|\bpynput\.keyboard\b|\bkeyboard\.on_(?:press|release)\(|\bgetasynckeystate\b|\bpam_exec\b/gu;
const READ_AFTER = /\)?\.read(?:_text|_bytes|lines)?\(/gu;
const FILES = new RegExp(SECRET_FILE, 'gu');
const ASKS =
  /\bsecurity find-(?:generic|internet)-password\b[^\n]{0,80}?(?:safe storage|chrome|brave|edge|firefox|safari|icloud|keychain|metamask|1password|bitwarden|lastpass)[^\n]{0,60}|\bsecurity dump-keychain\b|\bsecret-tool search --all\b|\bkwallet-query\b|\bvaultcmd \/list|\bcmdkey \/list|\bmimikatz\b|\blazagne\b|\bsekurlsa::|\b(?:procdump|minidump|comsvcs)\b[^\n]{0,60}\blsass\b|\bfind\s+(?:~|\/|\$home)\S{0,60}\s[^\n]{0,80}?(?:\.env\b|id_rsa|\.pem\b|wallet|credential|\.key\b)|\bbrowser_cookie3\b|\/proc\/(?:self|\d+|\*|\$\{?\w+\}?)\/environ|\bgit credential fill\b|\bgit config --get-(?:regexp|all) [^\n]{0,20}(?:credential|token|password)|\b(?:while|loop|every)\b[^\n]{0,60}\b(?:pbpaste|get-clipboard|xclip -o)|\b(?:grep|rg|find|ag)\s[^\n]{0,80}(?:password|secret|api_?key|token|begin [a-z ]{0,8}private)[^\n]{0,60}\s(?:~|\$home|\/home|\/root|\/users)\b|\b(?:grep|rg)\s[^\n]{0,20}-\w{0,6}r\w{0,6}[^\n]{0,60}(?:password|secret|api_?key|token)[^\n]{0,40}\s(?:~|\$home|\/home|\/users)|\bcryptunprotectdata\b|\b(?:printenv|env)\s*\|\s*(?:grep -\w{0,20}?i\w{0,20} ["']?\(?(?:key|token|secret|pass)|base64|curl|nc)|(?<=^|[.;:!] |[-*>\d.] |\b(?:then|and|first|now|always) )dump (?:all )?(?:the )?(?:env|environment) (?:vars|variables)\b/gmu;
const METADATA = /169\.254\.169\.254|metadata\.google\.internal/gu;
const WORDS =
  /\b(?:(?:collect|gather|harvest|steal|extract|grab|exfiltrate|enumerate) (?:all |any |the |every |their |user['’]?s? |stored |saved |available )*|(?:find|locate|read|copy|dump|list|search for) (?:all |any |every |their |(?:the )?user['’]s? |stored |saved )+)(?:ssh keys?|private keys?|api keys?|aws (?:keys?|credentials)|browser (?:cookies|passwords)|passwords|seed phrases?|wallet (?:files|keys)|access tokens?|credentials|secrets)(?: [\w~/.,-]+){0,8} (?:from|in|at|on|stored in|under) (?:~\/|the (?:user['’]s )?(?:home|system|machine|browser|keychain|environment)|\$home|their)/gu;

function* metadata(places: Iterable<Omit<Hit, 'level' | 'message'>>): Iterable<Hit> {
  for (const place of places)
    yield { ...place, level: 'medium', message: 'requests the credentials of a cloud machine' };
}
