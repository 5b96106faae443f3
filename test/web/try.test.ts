import { expect, test } from 'vitest';
import { BOOKSHOP, send, serve } from './served.ts';

test('the page ranks the skills of each agent, and its twin has the same results', async () => {
  const served = await serve(BOOKSHOP);
  try {
    const page = await send(served, '/agents/try?q=these+cover+photos+are+too+dark');
    expect(page.body).toMatch(/<b>cover-photos<\/b>, 0\.\d\d ahead of the next/u);
    const twin = await send(served, '/api/agents/try?q=these+cover+photos+are+too+dark');
    const { agents } = JSON.parse(twin.body) as { agents: { id: string; results: { name: string }[] }[] };
    expect(agents.find(({ id }) => id === 'claude')?.results[0]?.name).toBe('cover-photos');
    const hostile = await send(served, `/agents/try?q=${encodeURIComponent('"><script>alert(1)</script> cover')}`);
    expect([hostile.status, hostile.body.includes('<script>alert')]).toEqual([200, false]);
    expect((await send(served, '/agents')).body).toContain('href="/agents/try"');
  } finally {
    await served.stop();
  }
});

test('the page of an agent links the skills that compete in its list', async () => {
  const served = await serve(['web', '--project-dir', 'examples/descriptions/before', '--user-dir', 'examples/home']);
  try {
    const { body } = await send(served, '/agents/gemini');
    expect(body).toContain('Competing skills');
    expect(body).toMatch(/order-cancellations<\/a> and <a href="\/skills\/gemini:order-refunds">order-refunds<\/a>/u);
    expect(body).toContain('lectern overlap --agent gemini');
    expect((await send(served, '/agents/claude')).body).not.toContain('Competing skills');
  } finally {
    await served.stop();
  }
});

test('other machines cannot try a request, and no page links to it', async () => {
  const served = await serve([...BOOKSHOP, '--host', '0.0.0.0', '--tools', 'auto,authoring'], {
    LECTERN_TOKEN: 'a-long-token-for-the-tests',
  });
  try {
    const headers = { host: `127.0.0.1:${served.port}`, authorization: 'Bearer a-long-token-for-the-tests' };
    for (const address of ['/agents/try?q=photos', '/api/agents/try?q=photos'])
      expect((await send(served, address, { headers })).status).toBe(404);
    expect((await send(served, '/agents', { headers })).body).not.toContain('/agents/try');
  } finally {
    await served.stop();
  }
});
