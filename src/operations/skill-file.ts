import { createHash } from 'node:crypto';
import path from 'node:path';
import * as z from 'zod';
import { LIMITS } from '../core/limits.ts';
import { readBundle } from '../skills/bundle.ts';
import { fullNameOf, type Skill } from '../skills/schema.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type BundledContent, getBundledFile, readBundledFile } from './bundled-file.ts';
import { defineOperation } from './define.ts';
import { findAndRead } from './load-skill.ts';
import { mimeTypeOf } from './mime-type.ts';
import { pageOf } from './page.ts';

export const SkillFileOutput = z.object({
  name: z.string(),
  fullName: z.string(),
  files: z
    .array(z.object({ path: z.string(), size: z.int(), sha256: z.string().optional(), mimeType: z.string() }))
    .optional()
    .describe('Every file of the skill, when no path was given'),
  skipped: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .optional()
    .describe('What lies in the folder but is not served'),
  filesLeftOut: z.literal(true).optional().describe('There are more files than the limit lists'),
  path: z.string().optional(),
  size: z.int().optional().describe('Bytes of the whole file'),
  sha256: z.string().optional(),
  mimeType: z.string().optional(),
  unit: z.enum(['characters', 'bytes']).optional().describe('What offset, nextOffset and total count'),
  offset: z.int().optional(),
  nextOffset: z.int().optional().describe('Where to go on; absent at the end'),
  total: z.int().optional(),
  text: z.string().optional().describe('The text, or this page of it'),
  blob: z.string().optional().describe('Base64, for a file that is not text'),
});
export type SkillFileOutput = z.output<typeof SkillFileOutput>;

export const skillFile = defineOperation({
  name: 'skill_file',
  title: 'Read a Skill’s File',
  summary: 'Lists the files bundled with a skill, with size and SHA-256; with a path, reads one of them.',
  input: z.strictObject({
    name: z.string().min(1).describe('Name of the skill (case-insensitive)'),
    path: z.string().min(1).optional().describe('A file of the skill as it is listed, such as references/guide.md'),
    offset: z.int().min(0).optional().describe('Where to start: characters of a text, bytes of any other file'),
    limit: z.int().min(1).optional().describe('How much at the most, in the same unit'),
  }),
  output: SkillFileOutput,
  readOnly: true,
  async run({ name, path: asked, offset = 0, limit }, workspace) {
    const { skill } = await findAndRead(name, workspace);
    const head = { name: skill.name, fullName: fullNameOf(skill) };
    if (asked === undefined) return { ...head, ...(await listFiles(workspace, skill)) };
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
