/** Detects file kinds: text by file name, everything else by its first bytes. */

export type TextKind = 'prose' | 'code' | 'config';

const PROSE = /(?:^|\/)[^/.]*$|\.(?:md|mdx|mdc|markdown|txt|rst|adoc|org|tex)$/iu;
const CODE =
  /\.(?:sh|bash|zsh|fish|ksh|command|ps1|psm1|bat|cmd|vbs|py|pyw|pth|rb|pl|pm|php|js|mjs|cjs|jsx|ts|mts|cts|tsx|go|rs|java|kt|kts|swift|c|cc|cpp|h|hpp|cs|lua|r|jl|scala|groovy|gradle|dart|ex|exs|clj|hs|sql|applescript|scpt|awk|nix|tf|vue|svelte)$|(?:^|\/)(?:makefile|dockerfile|justfile|rakefile|gemfile|vagrantfile|\.envrc|\.bashrc|\.zshrc|\.profile)$/iu;

const REQUIREMENTS = /(?:^|\/)(?:requirements|constraints)[\w.-]*\.txt$/iu;

export function kindOf(path: string, text: string): TextKind {
  if (CODE.test(path) || text.startsWith('#!')) return 'code';
  return PROSE.test(path) && !REQUIREMENTS.test(path) ? 'prose' : 'config';
}

export type BinaryKind = 'program' | 'archive' | 'document' | 'media' | 'unknown';

const MAGIC: readonly [BinaryKind, string, readonly number[]][] = [
  ['program', 'a Linux program (ELF)', [0x7f, 0x45, 0x4c, 0x46]],
  ['program', 'a Windows program', [0x4d, 0x5a]],
  ['program', 'a macOS program', [0xcf, 0xfa, 0xed, 0xfe]],
  ['program', 'a macOS program', [0xce, 0xfa, 0xed, 0xfe]],
  ['program', 'a macOS program, or Java bytecode', [0xca, 0xfe, 0xba, 0xbe]],
  ['program', 'a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
  ['archive', 'a ZIP archive', [0x50, 0x4b, 0x03, 0x04]],
  ['archive', 'a ZIP archive', [0x50, 0x4b, 0x05, 0x06]],
  ['archive', 'a gzip archive', [0x1f, 0x8b]],
  ['archive', 'a bzip2 archive', [0x42, 0x5a, 0x68]],
  ['archive', 'an xz archive', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['archive', 'a 7-Zip archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['archive', 'a RAR archive', [0x52, 0x61, 0x72, 0x21]],
  ['archive', 'a Zstandard archive', [0x28, 0xb5, 0x2f, 0xfd]],
  ['document', 'a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['document', 'an Office document', [0xd0, 0xcf, 0x11, 0xe0]],
  ['media', 'a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['media', 'a JPEG image', [0xff, 0xd8, 0xff]],
  ['media', 'a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['media', 'a RIFF file', [0x52, 0x49, 0x46, 0x46]],
  ['media', 'a font', [0x77, 0x4f, 0x46]],
  ['media', 'a font', [0x00, 0x01, 0x00, 0x00]],
  ['media', 'a font', [0x4f, 0x54, 0x54, 0x4f]],
  ['media', 'an icon', [0x00, 0x00, 0x01, 0x00]],
  ['media', 'an Ogg file', [0x4f, 0x67, 0x67, 0x53]],
  ['media', 'an MP3 file', [0x49, 0x44, 0x33]],
];
/** Matched by name: Python bytecode has no fixed first bytes, and the documents are ZIP archives. */
const BYTECODE = /\.(?:pyc|pyo|pyd|class|jar|war|so|dylib|dll|exe|node|o|a|lib|msi|dmg|pkg|deb|rpm|apk|appimage)$/iu;
const DOCUMENT = /\.(?:docx|xlsx|pptx|dotx|potx|xltx|odt|ods|odp|epub|pdf|doc|xls|ppt)$/iu;
const ARCHIVE = /\.(?:zip|tar|tgz|gz|bz2|xz|7z|rar|zst|whl|egg|crx|vsix|mcpb|dxt|skill)$/iu;
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|avif|heic|mp3|mp4|mov|webm|wav|ogg|m4a|flac|ttf|otf|woff2?|eot|icns)$/iu;

export function binaryKindOf(path: string, bytes: Uint8Array): { kind: BinaryKind; name: string } {
  const magic = MAGIC.find(([, , first]) => first.every((byte, index) => bytes[index] === byte));
  if (magic?.[0] !== 'program' && DOCUMENT.test(path)) return { kind: 'document', name: 'a document' };
  if (BYTECODE.test(path)) return { kind: 'program', name: magic?.[1] ?? 'compiled code' };
  if (magic) return { kind: magic[0], name: magic[1] };
  if (ARCHIVE.test(path)) return { kind: 'archive', name: 'an archive' };
  if (MEDIA.test(path)) return { kind: 'media', name: 'a media file' };
  return { kind: 'unknown', name: 'a binary file' };
}
