import { expect, test } from 'vitest';
import { readiness, type ReadinessOptions } from '../../src/server/readiness.ts';

type Follower = ReadinessOptions['follower'];

async function probe(follower: Partial<Follower>, draining = new AbortController().signal) {
  const [route] = readiness({
    follower: { current: undefined, loading: undefined, publicTrouble: undefined, staleMs: () => 1_000, ...follower },
    maxStaleMs: 60_000,
    draining,
  }).routes;
  const response = await route?.methods.GET?.(new Request('http://127.0.0.1/readyz'), {} as never);
  return { status: response?.status, body: await response?.json() };
}

const current = { number: 7 } as Follower['current'];

test('a replica with a current snapshot is ready', async () => {
  expect(await probe({ current })).toEqual({ status: 200, body: { snapshot: 7, staleSeconds: 1 } });
});

test('a replica is not ready before its first snapshot, and explains why', async () => {
  const { status, body } = await probe({ publicTrouble: 'the database does not answer' });
  expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining('the database does not answer')]);
});

test('a replica that has been without the database for too long is not ready', async () => {
  expect(await probe({ current, staleMs: () => 60_001, publicTrouble: 'trouble' })).toEqual({
    status: 503,
    body: { snapshot: 7, staleSeconds: 60, trouble: 'trouble' },
  });
});

test('a replica that prepares to stop is not ready', async () => {
  expect(await probe({ current }, AbortSignal.abort())).toMatchObject({ status: 503, body: { draining: true } });
});
