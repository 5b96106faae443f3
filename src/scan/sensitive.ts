/** Patterns shared by several rules: locations of secrets, and ways to send data. */

/** Files with keys, tokens, cookies or wallets, in lower case. */
export const SECRET_FILE =
  /(?:\.ssh["'\s,)]{0,4}\/["'\s(]{0,3}(?:id_\w+(?!\w|\.pub)|\*|config\b)|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.aws\/credentials|\.aws\/config|\.azure\/\w+|\.config\/gcloud\b|application_default_credentials\.json|\.kube\/config|\.docker\/config\.json|\.netrc\b|\.npmrc\b|\.pypirc\b|\.git-credentials|\.config\/gh\/hosts\.yml|\.gnupg\b|\.pgpass\b|\.vault-token|\/etc\/shadow\b|login data\b|cookies\.sqlite|key[34]\.db|logins\.json|login\.keychain|keychains?\/|wallet\.dat|\.config\/solana\/id\.json|\.ethereum\/keystore|\.electrum\b|(?:exodus|metamask|phantom)[\w /-]{0,20}(?:wallet|vault|extension)|\.claude\/\.credentials\.json|\.codex\/auth\.json|\.(?:bash|zsh)_history)/u
    .source;

/** Commands and calls that send data to another machine. */
export const UPLOADS =
  /\bcurl\b[^\n|;&]{0,200}?\s(?:-d|--data(?:-\w+)?|-f|--form|-t|--upload-file|-x post|--request post)\b|\bwget\b[^\n|;&]{0,200}?--post-(?:data|file)|\b(?:requests|httpx|axios|http|got|superagent)\.(?:post|put)\(|\b(?:session|client)\.(?:post|put)\(\s{0,4}f?["'`]http|\bfetch\([^\n]{0,200}?method:?\s*["']?post|urlopen\([^\n]{0,120}?data=|\binvoke-(?:restmethod|webrequest)\b[^\n|;]{0,200}?-method post|\b(?:nc|ncat|netcat)\s+(?:-\w+\s+){0,3}[\w.$-]+\s+\d{2,5}|\/dev\/tcp\/[\w.$-]+\/\d+|\bscp\s[^\n]{1,120}?\w@[\w.-]+:|\brsync\s[^\n]{1,120}?\w@[\w.-]+:|\bsmtplib\.smtp|\.sendmail\(|\bxmlhttprequest\b|\bnavigator\.sendbeacon\(/gu;
