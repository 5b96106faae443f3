import path from 'node:path';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { readBundle } from '../skills/bundle.ts';
import { fullNameOf, type Skill } from '../skills/schema.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type BundledContent, getBundledFile, readBundledFile } from './bundled-file.ts';
import { defineOperation } from './define.ts';
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
  skipped: optional(list(object({ path: text(), reason: text() }), 'What is in the folder but is not served')),
  filesLeftOut: optional({ type: 'flag', always: true, help: 'There are more files than the limit lists' }),
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
    name: { type: 'text', filled: true, required: true, help: 'Name of the skill (case-insensitive)' },
    path: { type: 'text', filled: true, help: 'A file of the skill as it is listed, such as references/guide.md' },
    offset: { type: 'integer', min: 0, help: 'Where to start: characters of a text, bytes of any other file' },
    limit: { type: 'integer', min: 1, help: 'How much at most, in the same unit' },
  },
  output,
  reads: 'skills',
  tool: 'skills',
  async run({ name, path: asked, offset = 0, limit }, workspace) {
    const { skill } = await findAndRead(name, workspace);
    const head = { name: skill.name, fullName: fullNameOf(skill) };
    if (asked === undefined) return { ...head, ...(await listFiles(workspace, skill)) };
    const { createHash } = await import('node:crypto');
    const found = getBundledFile(workspace, skill, asked);
    const content = readBundledFile(workspace, skill, found);
    return {
      ...head,
      path: found.file.path,
      size: content.bytes.length,
      sha256: createHash('sha256').update(content.bytes).digest('hex'),
      mimeType: mimeTypeOf(found.file.path, { isText: content.text !== undefined }),
      ...partOf(content, offset, limit),
    };
  },
});

async function listFiles(
  workspace: Workspace,
  skill: Skill,
): Promise<Pick<SkillFileOutput, 'files' | 'skipped' | 'filesLeftOut'>> {
  const bundle = readBundle(workspace.disk, skill);
  const files: NonNullable<SkillFileOutput['files']> = [];
  for (const file of bundle.files) {
    const sha256 = await workspace.digests.of(file, bundle.realDir);
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

function partOf({ bytes, text }: BundledContent, offset: number, limit: number | undefined): Partial<SkillFileOutput> {
  if (text !== undefined) {
    const page = pageOf(text, offset, limit);
    return {
      unit: 'characters',
      offset,
      total: text.length,
      text: page.text,
      ...(page.nextOffset === undefined ? {} : { nextOffset: page.nextOffset }),
    };
  }
  const end = Math.min(bytes.length, offset + Math.min(limit ?? LIMITS.blobBytes.value, LIMITS.blobBytes.value));
  const blob = Buffer.from(bytes.subarray(offset, end)).toString('base64');
  return { unit: 'bytes', offset, total: bytes.length, blob, ...(end < bytes.length ? { nextOffset: end } : {}) };
}
