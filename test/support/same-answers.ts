/** A server that joins a shared catalog, held against one that does not. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import type { Session } from './connect.ts';

/** A call of every tool, and some that fail. Both servers have the skill `refund` and the spec `checkout`. */
const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['skill', { name: 'refund' }],
  ['skill', { command: 'refund' }],
  ['skill', { name: 'nowhere' }],
  ['skill', { name: 'team/source:nowhere' }],
  ['skill', { name: '' }],
  ['skill', {}],
  ['skill_file', { name: 'refund' }],
  ['skill_file', { name: 'refund', path: 'SKILL.md' }],
  ['skill_file', { name: 'refund', path: 'nothing.md' }],
  ['skills_list', {}],
  ['skills_list', { limit: 1 }],
  ['skills_list', { limit: '1', query: 'refund', includeBody: true }],
  ['skills_list', { cursor: 'nonsense' }],
  ['skills_search', { query: 'local way' }],
  ['skills_search', { query: 'local way', mode: 'keyword', limit: 1 }],
  ['skills_search', { query: ' ' }],
  ['list_specs', {}],
  ['list_changes', {}],
  ['list_changes', { archived: true }],
  ['get_spec_requirements', { spec_id: 'checkout' }],
  ['get_spec_requirements', { spec_id: 'nowhere' }],
  ['get_scenario', { spec_id: 'checkout', requirement: '*' }],
  ['get_scenario', { spec_id: 'checkout', requirement: 'nothing' }],
  ['get_change', { change_id: 'nowhere' }],
  ['validate_spec', {}],
  ['validate_spec', { spec_id: 'checkout' }],
  ['validate_change', {}],
  ['search_specs', { query: 'payment' }],
];

/** Also with arguments that no tool takes. */
export async function expectSameAnswers(joined: Session, alone: Session): Promise<void> {
  expect(await joined.description()).toBe(await alone.description());
  for (const [tool, args] of [...CALLS, ...CALLS.map(([tool]) => [tool, { nonsense: 1 }] as const)]) {
    const [one, other] = [await joined.call(tool, args), await alone.call(tool, args)];
    expect({ tool, args, answer: withoutNotes(one) }).toEqual({ tool, args, answer: withoutNotes(other) });
  }
}

/** What the reply says of the catalog: a sentence at the end, or two if nothing has that name. */
const NOTE = /\s*\[?The shared catalog (?:at|has no) [^\n]*/u;

function withoutNotes({ content, structuredContent, isError, _meta }: CallToolResult): unknown {
  const { 'lectern/catalog': _catalog, 'lectern/snapshot': _snapshot, 'lectern/error': error, ...meta } = _meta ?? {};
  const { note: _note, reason, ...data } = (structuredContent ?? {}) as Record<string, unknown>;
  const { hint, ...failure } = (error ?? {}) as Record<string, unknown>;
  const stripped = (text: unknown): unknown => (typeof text === 'string' ? text.replace(NOTE, '') : text);
  const isData = content[0]?.type === 'text' && content[0].text.startsWith('{');
  return {
    content: isData
      ? []
      : content.map((block) => (block.type === 'text' ? { ...block, text: stripped(block.text) } : block)),
    data,
    reason: stripped(reason) || undefined,
    isError,
    failure,
    hint: stripped(hint) || undefined,
    meta,
  };
}
