import { expect, test } from 'vitest';
import { companyOn } from '../support/company.ts';
import { CONFORMANCE_SUITE, expectConformance } from '../support/conformance.ts';
import { times } from '../support/effort.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { startReplica } from '../support/replica.ts';
import { skillText } from '../support/skill-text.ts';
import { spreadOver } from '../support/spread.ts';

const SCENARIOS = [
  ['2025-11-25', 'server-initialize'],
  ['2026-07-28', 'server-stateless'],
  ['2025-11-25', 'tools-list'],
  ['2026-07-28', 'caching'],
  ['2026-07-28', 'sep-2640-skills-manifest'],
] as const;

test.skipIf(!hasPostgres || CONFORMANCE_SUITE === undefined)(
  'clients of both eras find what the protocol says, with their calls spread over two replicas',
  async () => {
    await using postgres = await startPostgres();
    using shop = await companyOn(postgres);
    await using one = await startReplica(shop.database, shop.folder.at('cache-1'));
    await using two = await startReplica(shop.database, shop.folder.at('cache-2'));
    const published = await shop.publish(one.url, 'payments', {
      'skills/alpha/SKILL.md': skillText({ name: 'alpha' }),
      'skills/alpha/references/guide.md': '# Guide\n',
      'skills/beta/SKILL.md': skillText({ name: 'beta' }),
    });
    expect(published).toMatchObject({ outcome: 'published' });
    await using spread = await spreadOver([one.url, two.url], shop.tokens.payments.read);
    // Each is a process that takes seconds to load.
    for (const [version, scenario] of SCENARIOS.slice(0, times(2, SCENARIOS.length)))
      await expectConformance(`${spread.url}/mcp`, shop.folder.dir, version, scenario);
  },
);
