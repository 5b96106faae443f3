import path from 'node:path';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { nearest } from '../core/near.ts';
import { echo, textOf } from '../core/text.ts';
import { isInside } from '../core/inside.ts';
import { unreadable } from '../core/unreadable.ts';
import type { Bundle } from '../skills/bundle.ts';
import { fileUnreadable } from '../skills/codes.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import { getCopy } from '../workspace/skill-summary.ts';
import { defineOperation } from './define.ts';
import { named } from './join.ts';
import { COPY, COPY_MISSING, NAME } from './shapes.ts';
import { findAndRead } from './load-skill.ts';
import { mimeTypeOf } from '../core/mime-type.ts';
import { pageOf } from '../core/page.ts';

const output = {
  name: text(),
  fullName: text(),
  copyMissing: COPY_MISSING,
  files: optional(
    list(
      object({ path: text(), size: integer(), sha256: optional(text()), mimeType: text() }),
      'Every file of the skill, if no path was given',
    ),
  ),
  skipped: optional(list(object({ path: text(), reason: text() }), 'Files in the folder that are not served')),
  filesLeftOut: optional({ type: 'flag', always: true, help: 'More files than the limit' }),
  path: optional(text()),
  size: optional(integer('Bytes of the whole file')),
  sha256: optional(text()),
  mimeType: optional(text()),
  unit: optional(choice(['characters', 'bytes', 'files'], 'Unit of offset, nextOffset and total')),
  offset: optional(integer()),
  nextOffset: optional(integer('Where to continue; absent at the end')),
  total: optional(integer()),
  text: optional(text('The text, or this page of it')),
  blob: optional(text('Base64, for a file that is not text')),
} as const;
export type SkillFileOutput = ObjectOf<typeof output>;

export const skillFile = defineOperation({
  name: 'skill_file',
  title: 'Read a Skill’s File',
  summary: 'Read a file of a skill when the skill mentions one; without path, list them',
  params: {
    name: { ...NAME, required: true, help: 'The skill' },
    copy: COPY,
    path: { type: 'text', filled: true, help: 'Such as references/guide.md' },
    offset: { type: 'integer', min: 0, help: 'Where to start, in characters or, if not text, bytes' },
    limit: { type: 'integer', min: 1 },
    whole: { type: 'flag', default: false, faces: ['web'], help: 'The whole file as a blob, to save it' },
  },
  output,
  reads: 'skills',
  tool: 'skills',
  join: named('name', {
    kind: 'skill',
    fullName: 'fullName',
    probe: (name) => ({ operation: 'skill_file', input: { name, limit: 1 } }),
  }),
  async run({ name, copy, path: asked, offset = 0, limit, whole = false }, workspace, { isForPage = false }) {
    // The page also shows the files of disabled skills.
    const { skill, isElsewhere } = isForPage
      ? getCopy(workspace, name, copy)
      : { ...(await findAndRead(name, workspace)), isElsewhere: false };
    const head = {
      name: skill.name,
      fullName: fullNameOf(skill),
      ...(isElsewhere ? { copyMissing: true as const } : {}),
    };
    if (asked === undefined) return { ...head, ...(await listFiles(workspace, skill, offset, limit)) };
    const { sha256Of } = await import('../core/sha256.ts');
    const content = workspace.contentOf(skill);
    const file = findFile(skill, await content.files(), asked);
    const bytes = await content.read(file);
    const decoded = textOf(bytes);
    return {
      ...head,
      path: file,
      size: bytes.length,
      sha256: sha256Of(bytes),
      mimeType: mimeTypeOf(file, { isText: decoded !== undefined }),
      ...(whole
        ? { blob: Buffer.from(bytes).toString('base64') }
        : decoded === undefined
          ? blobPart(bytes, offset, limit)
          : textPart(decoded, offset, limit)),
    };
  },
});

/** Length of a line in the list without the path. */
const LINE_CHARACTERS = 110;

/** Returns a page of the files: served files first, then the others. */
async function listFiles(
  workspace: Reader,
  skill: Skill,
  offset: number,
  limit: number | undefined,
): Promise<Partial<SkillFileOutput>> {
  const content = workspace.contentOf(skill);
  const bundle = await content.files();
  const skipped = bundle.diagnostics.map(({ path: place, code }) => ({
    path: path.relative(skill.dir, place).split(path.sep).join('/'),
    reason: code,
  }));
  const total = bundle.files.length + skipped.length;
  let charactersLeft: number = LIMITS.replyCharacters.value;
  const page = [...bundle.files, ...skipped]
    .slice(offset, offset + (limit ?? total))
    .filter((each) => (charactersLeft -= each.path.length + LINE_CHARACTERS) >= 0);
  const files: NonNullable<SkillFileOutput['files']> = [];
  for (const file of page) {
    if (!('bytes' in file)) continue;
    const sha256 = await content.sha256(file.path);
    files.push({
      path: file.path,
      size: file.bytes,
      ...(sha256 === undefined ? {} : { sha256 }),
      mimeType: mimeTypeOf(file.path),
    });
  }
  const notServed = page.flatMap((each) => ('reason' in each ? [each] : []));
  const end = offset + page.length;
  return {
    files,
    ...(notServed.length === 0 ? {} : { skipped: notServed }),
    ...(bundle.cut ? { filesLeftOut: true as const } : {}),
    unit: 'files',
    offset,
    total,
    ...(end < total && page.length > 0 ? { nextOffset: end } : {}),
  };
}

/** Finds a file by its path, with or without `./`, or by its name if the name is unique in the skill. */
function findFile({ name, dir }: Skill, { files, diagnostics }: Bundle, asked: string): string {
  const paths = files.map((file) => file.path);
  if (paths.includes(asked)) return asked;
  const below = asked.startsWith('./') ? asked.slice(2) : asked;
  if (paths.includes(below)) return below;
  const sameName = paths.filter((place) => place.endsWith(`/${below}`) && !below.includes('/'));
  if (sameName.length === 1 && sameName[0] !== undefined) return sameName[0];
  const place = path.join(dir, below);
  const closed = diagnostics.find((problem) => problem.code === fileUnreadable.code && isInside(problem.path, place));
  if (closed) throw unreadable(`The file '${echo(asked)}' of skill '${echo(name)}'`, closed);
  const near = sameName.length > 1 ? sameName.slice(0, LIMITS.suggestions.value) : nearest(asked, paths);
  throw new Failure('NOT_FOUND', `Skill '${echo(name)}' has no file '${echo(asked)}'.`, {
    suggestions: near,
    available: { noun: 'files', names: () => paths },
    ...(near.length > 0 ? { hint: `Did you mean: ${near.map(echo).join(', ')}?` } : {}),
  });
}

function textPart(decoded: string, offset: number, limit: number | undefined): Partial<SkillFileOutput> {
  const page = pageOf(decoded, offset, limit);
  return {
    unit: 'characters',
    offset,
    total: decoded.length,
    text: page.text,
    ...(page.nextOffset === undefined ? {} : { nextOffset: page.nextOffset }),
  };
}

function blobPart(bytes: Uint8Array, offset: number, limit: number | undefined): Partial<SkillFileOutput> {
  const end = Math.min(bytes.length, offset + Math.min(limit ?? LIMITS.blobBytes.value, LIMITS.blobBytes.value));
  const blob = Buffer.from(bytes.subarray(offset, end)).toString('base64');
  return { unit: 'bytes', offset, total: bytes.length, blob, ...(end < bytes.length ? { nextOffset: end } : {}) };
}
