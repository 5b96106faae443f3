import { expect, test } from 'vitest';
import { partBlocks } from '../../src/web/plots/parts.tsx';
import type { ContextOutput } from '../../src/operations/context.ts';
import { BOOKSHOP, send, serve } from './served.ts';

test('the blocks of the strip are as long as the figures of the parts, in their order', async () => {
  const served = await serve(BOOKSHOP);
  try {
    const twin = await send(served, '/api/agents/claude/context');
    const { items = [], total } = JSON.parse(twin.body) as ContextOutput;
    const blocks = partBlocks(items);
    expect(blocks.map(({ tokens }) => tokens)).toEqual(items.flatMap(({ tokens }) => tokens || []));
    // Each part is rounded up, and the total only once.
    const rounding = blocks.reduce((sum, { tokens }) => sum + tokens, 0) - (total?.tokens ?? 0);
    expect([rounding >= 0, rounding < items.length]).toEqual([true, true]);
    const page = await send(served, '/agents/claude/context');
    for (const { from, tokens } of blocks) expect(page.body).toContain(`x="${from}" y="5" width="${tokens}"`);
    expect((await send(served, '/agents/claude')).body).toContain('/agents/claude/context');
  } finally {
    await served.stop();
  }
});

test('other machines cannot open the context of an agent, and no page links to it', async () => {
  const served = await serve([...BOOKSHOP, '--host', '0.0.0.0'], { LECTERN_TOKEN: 'a-long-token-for-the-tests' });
  try {
    const headers = { host: `127.0.0.1:${served.port}`, authorization: 'Bearer a-long-token-for-the-tests' };
    for (const address of ['/agents/claude/context', '/api/agents/claude/context'])
      expect((await send(served, address, { headers })).status).toBe(404);
    const agent = await send(served, '/agents/claude', { headers });
    expect([agent.status, agent.body.includes('/context')]).toEqual([200, false]);
  } finally {
    await served.stop();
  }
});
