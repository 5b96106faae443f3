import { expect, test } from 'vitest';
import { type Session, Sessions } from '../../src/http/sessions.ts';

function make(limits = { max: 3, idleMs: 60_000 }) {
  const closed: string[] = [];
  const sessions = new Sessions<Session>(limits);
  const add = (id: string, caller = 'a') => sessions.add({ id, caller, close: async () => void closed.push(id) });
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

test('a session is only there for whoever opened it', () => {
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
