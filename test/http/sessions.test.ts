import { expect, test } from 'vitest';
import { type Session, Sessions } from '../../src/http/sessions.ts';

function make(limits = { max: 3, idleMs: 60_000 }) {
  const closed: string[] = [];
  const sessions = new Sessions<Session>(limits);
  const add = (id: string, caller = 'a', from = '127.0.0.1', pending = 0) =>
    sessions.add({ id, caller, from, pending: () => pending, close: async () => void closed.push(id) });
  return { sessions, closed, add };
}

test('the one that was idle longest makes room; one in use never does', () => {
  const { sessions, closed, add } = make();
  for (const id of ['one', 'two', 'three']) add(id);
  sessions.find('one', 'a');
  const release = sessions.use('two');
  expect(sessions.makeRoom()).toBe(true);
  expect(closed).toEqual(['three']);
  add('four');
  sessions.use('one');
  sessions.use('four');
  expect(sessions.makeRoom()).toBe(false);
  release();
  expect(sessions.makeRoom()).toBe(true);
  expect(closed).toEqual(['three', 'two']);
});

test('a session is visible only to the caller that opened it', () => {
  const { sessions, add } = make();
  add('one', 'a');
  expect([sessions.find('one', 'b'), sessions.find('none', 'a'), sessions.find('one', 'a')?.id]).toEqual([
    undefined,
    undefined,
    'one',
  ]);
});

test('idle sessions are closed after a while, those in use are not', async () => {
  const { sessions, closed, add } = make({ max: 10, idleMs: 100 });
  add('idle');
  add('used');
  sessions.use('used');
  await expect.poll(() => closed).toEqual(['idle']);
  expect(sessions.size).toBe(1);
  await sessions.closeAll();
  expect(closed).toEqual(['idle', 'used']);
});

test('if all have open streams, one of the caller with the most makes room, first one that was never used', () => {
  const { sessions, closed, add } = make({ max: 4, idleMs: 60_000 });
  add('quiet', 'b');
  for (const id of ['one', 'two', 'three']) add(id, 'a');
  for (const id of ['quiet', 'one', 'two', 'three']) sessions.use(id, 'streams');
  sessions.find('one', 'a');
  expect(sessions.makeRoom()).toBe(true);
  expect(closed).toEqual(['two']);
});

test('callers with the same token are distinguished by their address', () => {
  const { sessions, closed, add } = make({ max: 4, idleMs: 60_000 });
  add('other', 'a', '192.0.2.1');
  for (const id of ['one', 'two', 'three']) add(id, 'a', '192.0.2.2');
  for (const id of ['other', 'one', 'two', 'three']) sessions.use(id, 'streams');
  expect(sessions.makeRoom()).toBe(true);
  expect(closed).toEqual(['one']);
});

test('a session with a call under way never makes room', () => {
  const { sessions, closed, add } = make({ max: 2, idleMs: 60_000 });
  add('pending', 'a', '127.0.0.1', 1);
  add('asking', 'a');
  sessions.use('pending', 'streams');
  sessions.use('asking');
  expect(sessions.makeRoom()).toBe(false);
  expect(closed).toEqual([]);
});

test('a caller that opens many sessions closes its own, not those of others', () => {
  const { sessions, closed, add } = make({ max: 4, idleMs: 60_000 });
  add('other', 'b');
  for (const id of ['one', 'two', 'three']) add(id, 'a');
  expect(sessions.makeRoom()).toBe(true);
  expect(closed).toEqual(['one']);
});
