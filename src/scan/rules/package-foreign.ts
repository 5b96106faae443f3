import { hostKind } from '../hosts.ts';
import { type Hit, matchesIn, scanRule } from '../rule.ts';
import type { TextFile } from '../text-file.ts';

export const packageForeign = scanRule({
  code: 'package-foreign',
  category: 'supply-chain',
  level: 'high',
  hints: ['http:', 'https:', 'git:', '--', 'trusted=yes', 'npmrc', 'registry', 'resolved'],
  nature: 'action',
  title: 'Package from an unchecked source',
  about:
    'Packages from other registries, archives on websites or unencrypted connections can contain anything and can change. Repositories on known code hosts are low.',
  fix: 'Pin a version from the default registry.',
  bad: {
    'pdf/SKILL.md': 'name: pdf',
    'pdf/setup.sh': 'pip install --index-url http://pypi.pdf-tools.dev/simple pdf-forms',
  },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/setup.sh': 'pip install pypdf==5.1.0' },
  *find({ texts }) {
    for (const file of texts) {
      for (const place of matchesIn(file, REGISTRY)) yield* judged(place, 'installs packages from another registry');
      for (const place of matchesIn(file, UNCHECKED))
        yield {
          ...place,
          level: file.kind === 'code' ? 'high' : 'medium',
          message: 'installs packages without checking signatures or hosts',
        };
      for (const place of matchesIn(file, ARCHIVE)) yield* judged(place, 'installs a package from a URL');
      if (
        /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|uv\.lock|poetry\.lock|cargo\.lock|gemfile\.lock)$/iu.test(
          file.path,
        )
      )
        for (const place of matchesIn(file, RESOLVED)) {
          const address = place.match[1] ?? '';
          if (!REGISTRIES.test(address) && !CODE_HOSTS.test(address) && hostKind(address) !== 'local')
            yield { ...place, level: 'high', message: 'a lock file takes a package from another host' };
        }
      if (/(?:^|\/)package\.json$/u.test(file.path))
        for (const place of matchesIn(
          file,
          /"[\w@/.-]{1,100}"\s{0,3}:\s{0,3}"(?:git\+)?(?:https?|git|ssh):\/\/([^"\n]{3,200})"/gu,
        ))
          if (!/"(?:url|homepage|bugs|repository|funding)"/u.test(place.match[0]))
            yield* judged(place, 'depends on a package from a URL');
    }
  },
});

const RESOLVED =
  /(?:"resolved"\s?:\s?"|\bresolved "|\btarball: |\burl = "|\bsource = "registry\+)https?:\/\/([^\s"'#]{3,200})/gu;
const UNCHECKED =
  /\bpip3? install\b[^\n;|&]{0,160}--trusted-host[= ](?!localhost|127\.|pypi\.org|files\.pythonhosted)|\bapt(?:-get)? install\b[^\n;|&]{0,80}--allow-unauthenticated|\[(?:[^\]\n]{0,40} )?trusted=yes[^\]\n]{0,20}\]|--nogpgcheck\b|\bgpgcheck=0\b|\b(?:npm|yarn|pnpm) (?:install|add|i|config set)\b[^\n;|&]{0,80}strict-ssl[= ]false|\bgo(?:nosumdb|nosumcheck|flags=-insecure|insecure)=|--no-gpg-check|--allow-insecure-repositories|\bcargo install\b[^\n;|&]{0,80}--index http:|\bpipx? install\b[^\n;|&]{0,80}--no-verify/gu;
const REGISTRY =
  /(?:--(?:extra-)?index-url|--registry|-i(?= https?:)|--find-links|\bregistry\s{0,2}=|\bextra-index-url\s{0,2}=|\bindex-url\s{0,2}=|\bnpm config set (?:@[\w-]{1,40}:)?registry|\bgoproxy=|\bgem sources (?:-a|--add)|--source(?= https?:))[ =]{0,3}["']?https?:\/\/([^\s"'`)]{3,200})/gu;
const ARCHIVE =
  /\b(?:pip3?|pipx|uv pip|uv tool|python3? -m pip|npm|pnpm|yarn|bun|npx|bunx|uvx|gem|cargo|go) (?:install|add|i|exec|run|dlx|get)?(?: ?-{1,2}[\w-]{1,30}(?:[= ](?!https?:|git)[\w.-]{1,40})?){0,4} ?["']?(?:[\w-]{1,60} ?@ ?)?(?:git\+)?(https?:\/\/[^\s"'`)]{3,200})/gu;

const REGISTRIES =
  /^(?:[\w-]+\.)*(?:npmjs\.org|npmjs\.com|pypi\.org|pythonhosted\.org|yarnpkg\.com|rubygems\.org|crates\.io|pytorch\.org|nvidia\.com|nuget\.org|jsr\.io|npm\.pkg\.github\.com|pkg\.dev|pkgs\.dev\.azure\.com|pkgs\.visualstudio\.com|microsoft\.com|proxy\.golang\.org|goproxy\.(?:io|cn)|npmmirror\.com|tsinghua\.edu\.cn|aliyun\.com|huggingface\.co)(?:[/:]|$)/u;
const CODE_HOSTS =
  /^(?:[\w-]+\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|githubusercontent\.com|codeload\.github\.com)\//u;

function* judged(
  { file, start, end, match }: { file: TextFile; start: number; end: number; match: RegExpExecArray },
  message: string,
): Iterable<Hit> {
  const address = (match[1] ?? '').replace(/^https?:\/\//u, '');
  const kind = hostKind(address);
  const isKnown = REGISTRIES.test(address) || CODE_HOSTS.test(address) || kind === 'installer';
  const plain = /http:\/\/|git:\/\//u.test(match[0]);
  const level =
    kind === 'local' || kind === 'example'
      ? 'low'
      : isKnown
        ? 'low'
        : plain || kind === 'number' || kind === 'drop' || (file.kind === 'code' && kind !== 'code')
          ? 'high'
          : 'medium';
  if (isKnown && !plain && REGISTRIES.test(address)) return;
  yield { file, start, end, level, message: plain ? `${message}, over an unencrypted connection` : message };
}
