/** Classifies the hosts of URLs. */

/** Vendors whose documentation recommends piping an installer into a shell. */
const INSTALLERS: readonly string[] = [
  'aka.ms',
  'amazonaws.com',
  'aspire.dev',
  'astral.sh',
  'bootstrap.pypa.io',
  'brew.sh',
  'bun.com',
  'bun.sh',
  'claude.ai',
  'cli.github.com',
  'cli.run.nu',
  'community.chocolatey.org',
  'cursor.com',
  'deb.nodesource.com',
  'rpm.nodesource.com',
  'deno.com',
  'deno.land',
  'dl.google.com',
  'docker.com',
  'dot.net',
  'download.docker.com',
  'encore.dev',
  'esm.sh',
  'fly.io',
  'fnm.vercel.app',
  'foundry.paradigm.xyz',
  'get-ghcup.haskell.org',
  'get.docker.com',
  'get.helm.sh',
  'get.jetify.com',
  'get.k3s.io',
  'get.pnpm.io',
  'get.pulumi.com',
  'get.scoop.sh',
  'get.sdkman.io',
  'get.volta.sh',
  'gh.io',
  'go.dev',
  'google.com',
  'hashicorp.com',
  'hf.co',
  'huggingface.co',
  'install.determinate.systems',
  'install.duckdb.org',
  'install.python-poetry.org',
  'jdx.dev',
  'just.systems',
  'microsoft.com',
  'mise.jdx.dev',
  'mise.run',
  'nixos.org',
  'nodejs.org',
  'ohmyz.sh',
  'ollama.ai',
  'ollama.com',
  'opencode.ai',
  'pixi.sh',
  'pkgs.k8s.io',
  'proto.moonrepo.dev',
  'pyenv.run',
  'railway.app',
  'railway.com',
  'releases.hashicorp.com',
  'rustup.rs',
  'rvm.io',
  'sdk.cloud.google.com',
  'setup.atuin.sh',
  'sh.rustup.rs',
  'starship.rs',
  'stripe.com',
  'supabase.com',
  'tailscale.com',
  'temporal.download',
  'turso.tech',
  'vercel.com',
  'volta.sh',
  'www.npmjs.com',
  'yarnpkg.com',
  'zed.dev',
];
/** GitHub projects that recommend the same. */
const REPOSITORIES =
  /^(?:raw\.githubusercontent\.com|github\.com)\/(?:ajeetdsouza\/zoxide|anchore\/(?:syft|grype)|aquasecurity\/(?:trivy|tfsec)|argoproj\/|asdf-vm\/|aws\/|azure\/|cloudflare\/|dapr\/|dotnet\/|github\/|golangci\/golangci-lint|google\/|helm\/helm|homebrew\/install|infracost\/|junegunn\/fzf|k3d-io\/k3d|kubernetes-sigs\/|kubernetes\/|leanprover\/|microsoft\/|nvm-sh\/nvm|ohmyzsh\/ohmyzsh|pyenv\/|rbenv\/|rust-lang\/|sharkdp\/|terraform-linters\/tflint|tj\/n|tofuutils\/)/u;
/** Hosts where anyone can upload data or code anonymously. */
const DROPS =
  /(?:^|\.)(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|requestcatcher\.com|beeceptor\.com|hookbin\.com|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|localhost\.run|loca\.lt|serveo\.net|oast\.(?:fun|live|me|online|pro|site)|interact\.sh|interactsh\.com|burpcollaborator\.net|canarytokens\.com|dnslog\.cn|ceye\.io|pastebin\.com|paste\.ee|hastebin\.com|rentry\.(?:co|org)|glot\.io|ghostbin\.\w+|termbin\.com|ix\.io|0x0\.st|transfer\.sh|file\.io|temp\.sh|bashupload\.com|anonfiles\.com|gofile\.io|catbox\.moe|telegra\.ph|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot)/u;
const LOCAL =
  /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w-]+\.(?:local|test|internal))(?:[:/]|$)/u;
/** Placeholders, which no real address contains. */
const PLACEHOLDER = /[<>{}]|^\$|^\[|\.\.\./u;
/** Example names. Matched against the host only. */
const EXAMPLE =
  /(?:^|\.)(?:your[\w-]*(?:\.[\w.-]|$)|my-?(?:app|site|domain|company|server|org)[\w-]*\.[\w.-]|(?:example(?:\.(?:com|org|net|edu))?|domain\.com|company\.com|acme\.\w+|contoso\.\w+|fabrikam\.\w+|host|hostname|server|site\.com|test\.com|foo\.\w+)$)/u;

export type HostKind = 'installer' | 'local' | 'example' | 'drop' | 'number' | 'other';

/** Takes a URL without its scheme, in lower case. */
export function hostKind(address: string): HostKind {
  const bare = address.replace(/^[a-z+]{2,12}:\/\//u, '').replace(/^[^/@]{0,80}@/u, '');
  if (LOCAL.test(bare)) return 'local';
  if (DROPS.test(bare)) return 'drop';
  const host = /^[\w.-]*/u.exec(bare)?.[0] ?? '';
  const isWhole = host === bare || /[:/?]/u.test(bare.charAt(host.length));
  if (PLACEHOLDER.test(bare) || (isWhole && EXAMPLE.test(host))) return 'example';
  if (/^\d{1,3}(?:\.\d{1,3}){3}\b/u.test(bare)) return 'number';
  const isKnown = INSTALLERS.some((known) => host === known || host.endsWith(`.${known}`));
  return isKnown || REPOSITORIES.test(bare) ? 'installer' : 'other';
}

/** Returns the first URL in a text, without its scheme. */
export function firstAddress(text: string): string | undefined {
  return /\b(?:https?|ftp|wss?):\/\/([^\s"'`|)>]{1,300})/u.exec(text)?.[1];
}
