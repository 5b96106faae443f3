/** What is too much in a message is refused before any work is done with it, over every transport. */
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { findExcess, parseJson } from '../../src/mcp/messages.ts';
import { isRecord } from '../../src/core/json-file.ts';
import { connect, startServer } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const FILES = {
  'project/skills/good/SKILL.md': skillText({ name: 'good', body: 'Do this: $ARGUMENTS.' }),
  'project/skills/echoing/SKILL.md': skillText({ name: 'echoing', body: '$ARGUMENTS '.repeat(3_000) }),
};
const long = (limit: keyof typeof LIMITS): string => 'x'.repeat(LIMITS[limit].value + 1);

/** A request with one text that is too long, and the place that the error names. */
const TOO_LONG: [method: string, params: Record<string, unknown>, place: string][] = [
  ['resources/read', { uri: `skill://${long('uriCharacters')}` }, 'uri'],
  ['resources/subscribe', { uri: `spec://${long('uriCharacters')}` }, 'uri'],
  ['skills/get', { uri: `skill://${long('uriCharacters')}` }, 'uri'],
  ['prompts/get', { name: long('nameCharacters') }, 'name'],
  ['prompts/get', { name: 'skill', arguments: { name: long('nameCharacters') } }, 'arguments.name'],
  ['prompts/get', { name: 'good', arguments: { arguments: long('promptCharacters') } }, 'arguments.arguments'],
  ['tools/call', { name: long('nameCharacters'), arguments: {} }, 'name'],
  ['logging/setLevel', { level: long('inputCharacters') }, 'level'],
  ['ping', { _meta: { progressToken: long('inputCharacters') } }, '_meta.progressToken'],
  ...[
    { ref: { type: 'ref/prompt', name: 'skill' }, argument: { name: 'name', value: long('inputCharacters') } },
    { ref: { type: 'ref/prompt', name: 'skill' }, argument: { name: long('inputCharacters'), value: '' } },
    { ref: { type: 'ref/prompt', name: long('nameCharacters') }, argument: { name: 'name', value: '' } },
    { ref: { type: 'ref/resource', uri: long('uriCharacters') }, argument: { name: 'id', value: '' } },
  ].map((params, index): [string, Record<string, unknown>, string] => [
    'completion/complete',
    params,
    ['argument.value', 'argument.name', 'ref.name', 'ref.uri'][index] ?? '',
  ]),
];

describe.each(['memory', 'http', 'sse'] as const)('over %s', (way) => {
  test('texts that are too long are refused with the place and the limit, and the next request is served', async () => {
    await using session = await connect(way, FILES);
    const { transport } = session.client;
    for (const [method, params, place] of TOO_LONG) {
      const asked = transport?.send({ jsonrpc: '2.0', id: `${method} ${place}`, method, params });
      // Over HTTP the request itself fails, otherwise a reply says so.
      await asked?.catch(() => undefined);
    }
    expect(await session.client.listTools()).toMatchObject({ tools: expect.anything() });
    expect(await session.client.getPrompt({ name: 'good', arguments: { arguments: 'that' } })).toMatchObject({
      messages: [{ content: { text: expect.stringContaining('Do this: that.') } }],
    });
  });
});

test.each(TOO_LONG)('%s: a text that is too long is an error that names %o', (method, params, place) => {
  expect(findExcess({ jsonrpc: '2.0', id: 7, method, params })).toEqual({
    code: -32602,
    message: expect.stringMatching(
      new RegExp(`^Invalid params: ${place} must be at most \\d+ characters long\\.$`, 'u'),
    ),
    id: 7,
  });
});

test('the caller gets the error with the id of its request', async () => {
  using folder = project(FILES, 'disk');
  const server = await startServer(folder, 'http');
  const ask = async (body: string): Promise<[number, unknown]> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await fetch(server.url, { method: 'POST', headers, body });
    return [answer.status, await answer.json()];
  };
  const request = { jsonrpc: '2.0', id: 'mine', method: 'resources/read', params: { uri: long('uriCharacters') } };
  expect(await ask(JSON.stringify(request))).toMatchObject([400, { id: 'mine', error: { code: -32602 } }]);
  const many = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join(',')}]`;
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(await ask(many(LIMITS.requestBatch.value + 1, ping))).toMatchObject([400, { error: { code: -32600 } }]);
  expect(await ask(many(1_000_000, '{}'))).toMatchObject([400, { error: { code: -32600 } }]);
  expect(await ask('[{')).toMatchObject([400, { error: { code: -32700 } }]);
  await server.stop();
});

describe('a message as a whole', () => {
  const call = (args: unknown) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'x', arguments: args },
  });

  test('may have a bounded number of values, at any depth', () => {
    let deep: unknown = [];
    for (let level = 0; level < 50_000; level++) deep = [deep];
    const wide = Object.fromEntries(Array.from({ length: LIMITS.requestValues.value }, (_, index) => [index, 0]));
    for (const args of [deep, wide, Object.values(wide)])
      expect(findExcess(call(args))).toMatchObject({ code: -32602, id: 1, message: expect.stringContaining('values') });
    for (const value of [deep, [deep], null, 5, 'x', [], {}]) expect(findExcess(value)).toBeUndefined();
  });

  test('may have a bounded number of characters, in keys too', () => {
    const text = 'x'.repeat(LIMITS.requestCharacters.value);
    expect(findExcess(call({ name: text }))).toMatchObject({ message: expect.stringContaining('characters') });
    expect(findExcess(call({ [long('nameCharacters')]: 1 }))).toMatchObject({ code: -32602 });
    // The tools name their own limits.
    expect(findExcess(call({ name: text.slice(0, -100) }))).toBeUndefined();
  });

  test('is refused if its id or method is too long', () => {
    expect(findExcess({ jsonrpc: '2.0', id: long('nameCharacters'), method: 'ping' })).toMatchObject({ id: null });
    expect(findExcess({ jsonrpc: '2.0', id: 1, method: long('nameCharacters') })).toMatchObject({
      code: -32600,
      id: 1,
    });
  });

  test('is parsed only if it cannot have too many values', () => {
    const parse = (text: string) => parseJson(Buffer.from(text));
    for (const text of [
      '['.repeat(2_000_000),
      `{"a":[${'{},'.repeat(200_000)}0]}`,
      `"${','.repeat(100_000)}"`,
      `"${'x'.repeat(3_000_000)}"`,
    ])
      expect(parse(text)).toMatchObject({ code: -32600, id: null });
    expect(parse('{"a":[1,2]}')).toEqual({ value: { a: [1, 2] } });
    expect(parse('{"a":')).toMatchObject({ code: -32700 });
  });

  test('may carry a picture of its client, and a cursor that we gave', () => {
    const icon = { src: `data:image/png;base64,${'A'.repeat(100_000)}` };
    const clientInfo = { name: 'x', version: '1', icons: [icon] };
    expect(findExcess({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo } })).toBeUndefined();
    const meta = { _meta: { 'io.modelcontextprotocol/clientInfo': clientInfo }, cursor: 'x'.repeat(10_000) };
    expect(findExcess({ jsonrpc: '2.0', id: 1, method: 'prompts/list', params: meta })).toBeUndefined();
  });
});

test('a prompt that repeats the words of its caller thousands of times gets them once', async () => {
  await using session = await connect('memory', FILES);
  const words = 'y'.repeat(LIMITS.promptCharacters.value);
  const { messages } = await session.client.getPrompt({ name: 'echoing', arguments: { arguments: words } });
  const content: unknown = messages[0]?.content;
  const text = isRecord(content) ? String(content['text']) : '';
  expect(text.endsWith(`ARGUMENTS: ${words}`)).toBe(true);
  expect(text.length).toBeLessThan(LIMITS.requestCharacters.value);
});
