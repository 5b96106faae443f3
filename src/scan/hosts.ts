/** Classifies the hosts of URLs. */

/**
 * Addresses whose vendors document piping them into a shell: a host, or a host with the beginning of a path where anyone can publish
 * on the host.
 */
const INSTALLERS: readonly string[] = [
  'aka.ms',
  'apify.com/install-cli.sh',
  'aspire.dev',
  'astral.sh',
  'awscli.amazonaws.com',
  'bootstrap.pypa.io',
  'brew.sh',
  'bun.com',
  'bun.sh',
  'claude.ai/install',
  'cli.github.com',
  'cli.run.nu',
  'cli.sentry.dev',
  'community.chocolatey.org',
  'cursor.com/install',
  'deb.nodesource.com',
  'deno.com',
  'deno.land/install.sh',
  'deno.land/x/install',
  'dl.google.com',
  'dot.net',
  'download.docker.com',
  'elastic.co/start-local',
  'encore.dev',
  'fly.io/install.sh',
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
  'go.dev/dl',
  'hf.co/cli',
  'install.determinate.systems',
  'install.duckdb.org',
  'install.python-poetry.org',
  'just.systems',
  'mise.jdx.dev',
  'mise.run',
  'nixos.org',
  'nodejs.org',
  'ohmyz.sh',
  'ollama.ai/install.sh',
  'ollama.com/install',
  'openclaw.ai/install',
  'opencode.ai/install',
  'pixi.sh',
  'pkgs.k8s.io',
  'proto.moonrepo.dev',
  'pyenv.run',
  'railway.app/install.sh',
  'railway.com/install.sh',
  'raw.githubusercontent.com/ajeetdsouza/zoxide/',
  'raw.githubusercontent.com/anchore/grype/',
  'raw.githubusercontent.com/anchore/syft/',
  'raw.githubusercontent.com/aquasecurity/tfsec/',
  'raw.githubusercontent.com/aquasecurity/trivy/',
  'raw.githubusercontent.com/argoproj/',
  'raw.githubusercontent.com/asdf-vm/',
  'raw.githubusercontent.com/aws/',
  'raw.githubusercontent.com/azure/',
  'raw.githubusercontent.com/cloudflare/',
  'raw.githubusercontent.com/dapr/',
  'raw.githubusercontent.com/dotnet/',
  'raw.githubusercontent.com/golangci/golangci-lint/',
  'raw.githubusercontent.com/helm/helm/',
  'raw.githubusercontent.com/homebrew/install/',
  'raw.githubusercontent.com/infracost/',
  'raw.githubusercontent.com/junegunn/fzf/',
  'raw.githubusercontent.com/k3d-io/k3d/',
  'raw.githubusercontent.com/kubernetes-sigs/',
  'raw.githubusercontent.com/kubernetes/',
  'raw.githubusercontent.com/leanprover/',
  'raw.githubusercontent.com/nvm-sh/nvm/',
  'raw.githubusercontent.com/ohmyzsh/ohmyzsh/',
  'raw.githubusercontent.com/pyenv/',
  'raw.githubusercontent.com/rbenv/',
  'raw.githubusercontent.com/terraform-linters/tflint/',
  'raw.githubusercontent.com/tofuutils/',
  'releases.hashicorp.com',
  'rpm.nodesource.com',
  'rustup.rs',
  'rvm.io',
  'sdk.cloud.google.com',
  'setup.atuin.sh',
  'sh.rustup.rs',
  'starship.rs',
  'tailscale.com/install.sh',
  'temporal.download',
  'volta.sh',
  'yarnpkg.com/install.sh',
  'zed.dev/install.sh',
];
/** Hosts where every address belongs to an account that can be looked up. */
const CODE_HOSTS =
  /^(?:raw\.githubusercontent\.com|github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|[\w-]+\.github\.io)\//u;
/** Services that are called with a key of the user: sending the key or the data there is their purpose. */
const SERVICES =
  /^(?:[\w-]+\.)*(?:api\.openai\.com|openai\.azure\.com|api\.anthropic\.com|googleapis\.com|accounts\.google\.com|api\.github\.com|uploads\.github\.com|login\.microsoftonline\.com|graph\.microsoft\.com|management\.azure\.com|vault\.azure\.net|slack\.com|notion\.com|api\.stripe\.com|amazonaws\.com|api\.cloudflare\.com|huggingface\.co|api\.mistral\.ai|openrouter\.ai|api\.linear\.app|atlassian\.net|atlassian\.com|gitlab\.com|api\.telegram\.org|discord\.com\/api|api\.twilio\.com|sendgrid\.com|api\.elevenlabs\.io|api\.x\.com|api\.twitter\.com|graph\.facebook\.com|api\.vercel\.com|api\.netlify\.com|api\.digitalocean\.com|supabase\.co|hooks\.slack\.com|npmjs\.org|pypi\.org|sentry\.io|datadoghq\.com|newrelic\.com|zoom\.us|dropboxapi\.com|todoist\.com|airtable\.com|hubapi\.com|shopify\.com|api\.figma\.com|api\.perplexity\.ai|api\.groq\.com|api\.deepseek\.com|replicate\.com|api\.exa\.ai|tavily\.com|serper\.dev|canva\.com)(?:[/:?]|$)/u;
/** Hosts where anyone can upload data or code anonymously. */
const DROPS =
  /(?:^|\.)(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|requestcatcher\.com|beeceptor\.com|hookbin\.com|ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|localhost\.run|loca\.lt|serveo\.net|oast\.(?:fun|live|me|online|pro|site)|interact\.sh|interactsh\.com|burpcollaborator\.net|canarytokens\.com|dnslog\.cn|ceye\.io|pastebin\.com|paste\.ee|hastebin\.com|rentry\.(?:co|org)|glot\.io|ghostbin\.\w+|termbin\.com|ix\.io|0x0\.st|transfer\.sh|file\.io|temp\.sh|bashupload\.com|anonfiles\.com|gofile\.io|catbox\.moe|telegra\.ph|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot)/u;
const LOCAL =
  /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal|[\w-]+\.(?:local|internal))(?:[:/]|$)/u;
/** Placeholders, which no real address contains. */
const PLACEHOLDER = /[<>{}]|^\$|^\[|\.\.\./u;
/**
 * Names of documentation, matched against the host only. A telling name below a reserved domain, such as `collect.example`, stands
 * for a real host and is judged like one.
 */
const EXAMPLE =
  /(?:^|\.)(?:your[\w-]*(?:\.[\w.-]|$)|my-?(?:app|site|domain|company|server|org)[\w-]*\.[\w.-]|(?:example\.(?:com|org|net|edu)|domain\.com|company\.com|acme\.(?:com|org)|contoso\.\w+|fabrikam\.\w+|host|hostname|server|site\.com|test\.com|foo\.\w+)$)|^(?:example|host|hostname|server|remote)$/u;

export type HostKind = 'installer' | 'code' | 'service' | 'local' | 'example' | 'drop' | 'number' | 'other';

/** Takes a URL without its scheme, in lower case. */
export function hostKind(address: string): HostKind {
  const bare = address.replace(/^[a-z+]{2,12}:\/\//u, '').replace(/^[^/@]{0,80}@/u, '');
  if (LOCAL.test(bare)) return 'local';
  if (DROPS.test(bare)) return 'drop';
  const host = /^[\w.-]*/u.exec(bare)?.[0] ?? '';
  const isWhole = host === bare || /[:/?]/u.test(bare.charAt(host.length));
  if (PLACEHOLDER.test(bare) || (isWhole && EXAMPLE.test(host))) return 'example';
  if (/^\d{1,3}(?:\.\d{1,3}){3}\b/u.test(bare)) return 'number';
  if (INSTALLERS.some((known) => isBelow(bare, host, known))) return 'installer';
  if (SERVICES.test(bare)) return 'service';
  return CODE_HOSTS.test(bare) ? 'code' : 'other';
}

function isBelow(address: string, host: string, known: string): boolean {
  if (known.includes('/')) return address.replace(/^www\./u, '').startsWith(known);
  return host === known || host.endsWith(`.${known}`);
}

/** Returns the first URL in a text, without its scheme. */
export function firstAddress(text: string): string | undefined {
  return /\b(?:https?|ftp|wss?):\/\/([^\s"'`|)>]{1,300})/u.exec(text)?.[1];
}
