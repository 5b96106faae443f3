/** Rules for skills that the MCP Skills extension cannot transmit. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { isRecord } from '../../core/json-file.ts';
import type { CheckedSkill, Profile } from './subject.ts';

/** Limits that every host of the MCP Skills extension must support. Larger skills may be refused. */
const MCP_MAX_FILES = 512;
const MIB = 1024 * 1024;
const MCP_MAX_BYTES = 16 * MIB;

export const packageTooManyFiles = defineRule<CheckedSkill, Profile>({
  code: 'package-too-many-files',
  severity: 'error',
  title: `The skill has more than ${MCP_MAX_FILES} files`,
  about: 'Hosts of the MCP Skills extension may refuse it. The tools still serve it.',
  fix: 'Leave out files that the skill does not need, or combine some of them.',
  profiles: { mcp: 'error' },
  *check(skill) {
    if (skill.files.length > MCP_MAX_FILES) yield { message: `the skill has ${skill.files.length} files` };
  },
});

export const packageTooLarge = defineRule<CheckedSkill, Profile>({
  code: 'package-too-large',
  severity: 'error',
  title: `The skill is larger than ${MCP_MAX_BYTES / MIB} MiB`,
  about: 'Hosts of the MCP Skills extension may refuse it. The tools still serve it.',
  fix: 'Leave out files that the skill does not need.',
  profiles: { mcp: 'error' },
  *check(skill) {
    const bytes = skill.files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > MCP_MAX_BYTES) yield { message: `the skill has ${bytes} bytes` };
  },
});

export const metadataReserved = defineRule<CheckedSkill, Profile>({
  code: 'metadata-reserved',
  severity: 'error',
  title: 'A metadata key is reserved',
  about: 'Keys that begin with io.modelcontextprotocol/ belong to the protocol.',
  fix: 'Use a key with another prefix.',
  profiles: { mcp: 'error' },
  bad: 'metadata:\n  io.modelcontextprotocol/owner: "docs team"',
  good: 'metadata:\n  owner: "docs team"',
  *check(skill) {
    const metadata = skill.frontmatter['metadata'];
    if (!isRecord(metadata)) return;
    const reserved = Object.keys(metadata).filter((key) => key.startsWith('io.modelcontextprotocol/'));
    if (reserved.length > 0)
      yield { message: `metadata uses ${reserved.join(', ')}`, line: skill.lines.get('metadata') };
  },
});
