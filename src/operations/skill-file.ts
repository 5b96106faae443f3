import path from 'node:path';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { Failure } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { nearest } from '../core/near.ts';
import { echo, textOf } from '../core/text.ts';
import type { BundledFile } from '../skills/bundle.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { defineOperation } from './define.ts';
import { NAME } from './shapes.ts';
import { findAndRead } from './load-skill.ts';
import { mimeTypeOf } from '../core/mime-type.ts';
import { pageOf } from '../core/page.ts';

const output = {
  name: text(),
  fullName: text(),
  files: optional(
    list(
      object({ path: text(), size: integer(), sha256: optional(text()), mimeType: text() }),
      'Every file of the skill, if no path was given',
    ),
  ),
  skipped: optional(list(object({ path: text(), reason: text() }), 'Files in the folder that are not served')),
  filesLeftOut: optional({ type: 'flag', always: true, help: 'There are more files than the limit allows' }),
  path: optional(text()),
  size: optional(integer('Bytes of the whole file')),
  sha256: optional(text()),
  mimeType: optional(text()),
  unit: optional(choice(['characters', 'bytes'], 'What offset, nextOffset and total count')),
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
  summary: 'List the files bundled with a skill, with size and SHA-256; with a path, read one of them',
  params: {
    name: { ...NAME, required: true, help: 'Name of the skill (case-insensitive)' },
    path: { type: 'text', filled: true, help: 'A file of the skill as listed, such as references/guide.md' },
    offset: { type: 'integer', min: 0, help: 'Where to start: characters of a text, bytes of any other file' },
    limit: { type: 'integer', min: 1, help: 'Maximum length, in the same unit' },
  },
  output,
  reads: 'skills',
  tool: 'skills',
  async run({ name, path: asked, offset = 0, limit }, workspace) {
    const { skill } = await findAndRead(name, workspace);
    const head = { name: skill.name, fullName: fullNameOf(skill) };
    if (asked === undefined) return { ...head, ...(await listFiles(workspace, skill)) };
    const { createHash } = await import('node:crypto');
    const content = workspace.contentOf(skill);
    requireFile(skill, (await content.files()).files, asked);
    const bytes = await content.read(asked);
    const decoded = textOf(bytes);
    return {
      ...head,
      path: asked,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      mimeType: mimeTypeOf(asked, { isText: decoded !== undefined }),
      ...(decoded === undefined ? blobPart(bytes, offset, limit) : textPart(decoded, offset, limit)),
    };
  },
});

async function listFiles(
  workspace: Workspace,
  skill: Skill,
): Promise<Pick<SkillFileOutput, 'files' | 'skipped' | 'filesLeftOut'>> {
  const content = workspace.contentOf(skill);
  const bundle = await content.files();
  const files: NonNullable<SkillFileOutput['files']> = [];
  for (const file of bundle.files) {
    const sha256 = await content.sha256(file.path);
    files.push({
      path: file.path,
      size: file.bytes,
      ...(sha256 === undefined ? {} : { sha256 }),
      mimeType: mimeTypeOf(file.path),
    });
  }
  const skipped = bundle.diagnostics.map(({ path: place, code }) => ({
    path: path.relative(skill.dir, place).split(path.sep).join('/'),
    reason: code,
  }));
  return {
    files,
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(bundle.cut ? { filesLeftOut: true as const } : {}),
  };
}

function requireFile({ name }: Skill, files: readonly BundledFile[], asked: string): void {
  const paths = files.map((file) => file.path);
  if (paths.includes(asked)) return;
  const near = nearest(asked, paths);
  throw new Failure('NOT_FOUND', `Skill '${echo(name)}' has no file '${echo(asked)}'.`, {
    suggestions: near,
    hint:
      near.length > 0
        ? `Did you mean: ${near.map(echo).join(', ')}?`
        : 'Call skill_file without a path to see its files.',
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
