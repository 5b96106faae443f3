/** The web interface of a shared catalog, in memory: content by caller, and links. */
import { describe, expect, test } from 'vitest';
import type { SharedCatalog } from '../../src/hub/shared-catalog.ts';
import { fc, times } from '../support/effort.ts';
import { sharedCatalog, type SourceFiles, type TestSource } from '../support/shared.ts';
import { skillText } from '../support/skill-text.ts';
import { bookshop } from './catalog.ts';
import { asking } from './catalog-requests.ts';

/** Long ago, so that relative times are stable. */
const PUBLISHED = {
  at: '2026-01-31T12:00:00.000Z',
  actor: 'payments/ci',
  commit: '0123456789abcdef0123456789abcdef01234567',
};

const skill = (name: string, body = 'Text.'): string =>
  `---\nname: ${name}\ndescription: About ${name}.\n---\n\n${body}\n`;

const spec = (title: string): string =>
  `# ${title}\n\n## Purpose\nWhat ${title} must do.\n\n## Requirements\n\n### Requirement: R\nIt SHALL work.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n`;

const COMPANY: Record<string, TestSource> = {
  'payments/shop': { files: bookshop(), version: 9, published: PUBLISHED },
  'checkout/skills': {
    files: {
      'skills/refund/SKILL.md': skill('refund'),
      'skills/release-notes/SKILL.md': skill('release-notes', 'Other notes.'),
    },
    readers: ['payments'],
    published: { ...PUBLISHED, actor: 'oauth:ada@example.com' },
  },
  'secret/plans': { files: { 'skills/merger/SKILL.md': skill('merger') }, published: PUBLISHED },
};

const VERSIONS = [
  { ...PUBLISHED, number: 9, action: 'rollback', restored: 4, added: 0, changed: 2, removed: 1 },
  { ...PUBLISHED, number: 6, action: 'publish', added: 1, changed: 0, removed: 0 },
  { ...PUBLISHED, number: 4, action: 'publish', added: 3, changed: 0, removed: 0, pruned: true },
];

/** Reports every iteration over an array of at least this length. */
function watchingArrays(length: number, seen: (method: string) => void): Disposable {
  const kept = (['filter', 'map', 'flatMap', 'reduce', 'toSorted'] as const).map((name) => {
    const original = Array.prototype[name] as (...given: unknown[]) => unknown;
    // oxlint-disable-next-line no-extend-native -- to observe every iteration
    Object.defineProperty(Array.prototype, name, {
      configurable: true,
      writable: true,
      value(this: unknown[], ...given: unknown[]) {
        if (this.length >= length) seen(name);
        return Reflect.apply(original, this, given);
      },
    });
    return [name, original] as const;
  });
  return {
    [Symbol.dispose]() {
      for (const [name, value] of kept)
        // oxlint-disable-next-line no-extend-native -- restores the original
        Object.defineProperty(Array.prototype, name, { configurable: true, writable: true, value });
    },
  };
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/href="(\/[^"#]*)/gu)]
    .map(([, to = '']) => to.replaceAll('&amp;', '&'))
    .filter((to) => !to.startsWith('/assets/'));
}

test('every link works, and no command refers to the local machine', async () => {
  using page = asking(await sharedCatalog(COMPANY), ['payments'], VERSIONS);
  const seen = new Set<string>();
  const waiting = ['/', '/changes/compare?a=add-wish-list&b=faster-checkout', '/search?q=customer'];
  const commands = new Set<string>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const { status, body } = await page.get(at);
    // The twin of a change that cannot be archived has the reason as an error.
    expect.soft([at, status]).toEqual([at, at === '/api/change/after?id=end-guest-orders' ? 403 : 200]);
    if (at.startsWith('/api/') || at.includes('download=')) continue;
    expect.soft(body, at).not.toContain('merger');
    for (const [, command = ''] of body.matchAll(/data-copy="lectern (\w+)/gu)) commands.add(command);
    waiting.push(...linksIn(body));
  }
  const pages = [...seen].filter((at) => !at.startsWith('/api/'));
  for (const part of ['/skills/', '/file?', '/specs/', '/changes/', '/after', '/sources/', 'with=', 'source='])
    expect
      .soft(
        pages.some((at) => at.includes(part)),
        part,
      )
      .toBe(true);
  // Two skills of one source have the same full name, which loads the other one.
  expect(pages.filter((at) => at.startsWith('/skills/') && at.includes('copy=') && at.includes('.claude'))).not.toEqual(
    [],
  );
  expect(pages.filter((at) => /^\/(?:agents|problems)/u.test(at))).toEqual([]);
  expect([...commands].sort()).toEqual(['publish', 'rollback', 'setup']);
});

test('counts use singular and plural correctly', async () => {
  const shared = await sharedCatalog({
    'a/specs': { files: { 'openspec/specs/books/spec.md': spec('Books') }, published: PUBLISHED },
    'b/skills': { files: { 'skills/refund/SKILL.md': skill('refund') }, readers: ['c'], published: PUBLISHED },
    'c/skills': { files: { 'skills/ledger/SKILL.md': skill('ledger') }, readers: ['a'], published: PUBLISHED },
  });
  const ledes = async (team: string): Promise<string[]> => {
    using page = asking(shared, [team]);
    const bodies = await Promise.all(['/', '/sources'].map(async (at) => (await page.get(at)).body));
    return bodies.map((body) =>
      (/<p class="lede">(.*?)<\/p>/su.exec(body)?.[1] ?? '').replace(/^A source.*?\. /su, ''),
    );
  };
  expect(await ledes('b')).toEqual(['In 1 source owned by your team.', 'You can read 1 source owned by your team.']);
  expect(await ledes('a')).toEqual([
    'In 2 sources: 1 owned by your team, 1 shared with you.',
    'You can read 2 sources: 1 owned by your team, 1 shared with you.',
  ]);
  using page = asking(shared, ['a']);
  expect((await page.get('/sources')).body).toMatch(/<p class="d">1 spec in 1 file, /u);
  const { body } = await page.get('/skills');
  expect(linksIn(body).filter((to) => to.includes('source='))).toEqual(['/skills?source=c%2Fskills']);
});

describe('sources', () => {
  test('show publisher, time and commit, with the caller’s own sources first', async () => {
    using page = asking(await sharedCatalog(COMPANY, 12), ['payments']);
    const { body, headers } = await page.get('/api/sources');
    expect(JSON.parse(body)).toEqual({
      sources: [
        {
          source: 'payments/shop',
          own: true,
          skills: 10,
          specs: 3,
          changes: 3,
          files: Object.keys(bookshop()).length,
          bytes: Object.values(bookshop()).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
          version: 9,
          published: PUBLISHED,
        },
        expect.objectContaining({
          source: 'checkout/skills',
          own: false,
          skills: 2,
          published: { ...PUBLISHED, actor: 'oauth:ada@example.com' },
        }),
      ],
      total: 2,
      own: 1,
    });
    expect(headers.get('lectern-snapshot')).toBe('12');
    const found = JSON.parse((await page.get('/api/sources?q=check+skills')).body);
    expect(found).toMatchObject({ total: 1, sources: [{ source: 'checkout/skills' }] });
  });

  test('list their versions and mark those that cannot be restored', async () => {
    using page = asking(await sharedCatalog(COMPANY), ['payments'], VERSIONS);
    const { body } = await page.get('/api/sources/payments/shop');
    expect(JSON.parse(body)).toMatchObject({ source: 'payments/shop', version: 9, versions: VERSIONS });
    const shown = (await page.get('/sources/payments/shop')).body.replace(/<[^>]+>/gu, '');
    for (const words of ['2 files changed and 1 file removed.', 'rollback to 4', 'pruned, cannot be restored'])
      expect(shown).toContain(words);
    expect(shown).toContain('2026-01-31 by payments/ci, commit 0123456789');
  });

  test('that are hidden look like missing ones', async () => {
    using page = asking(await sharedCatalog(COMPANY), ['payments'], VERSIONS);
    const answers = await Promise.all(
      ['secret/plans', 'secret/plonk'].flatMap((name) => [`/sources/${name}`, `/api/sources/${name}`]).map(page.get),
    );
    const [hidden, hiddenTwin, missing, missingTwin] = answers.map(({ status, body }) => [
      status,
      body.replaceAll('plonk', 'plans'),
    ]);
    expect(hidden?.[0]).toBe(404);
    expect(hidden).toEqual(missing);
    expect(hiddenTwin).toEqual(missingTwin);
  });
});

describe('specs of several sources', () => {
  const delta =
    '## MODIFIED Requirements\n\n### Requirement: R\nIt SHALL work well.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n';
  const catalog = (): Promise<SharedCatalog> =>
    sharedCatalog({
      'payments/shop': { files: { 'openspec/specs/checkout/spec.md': spec('Checkout of payments') } },
      'checkout/skills': {
        files: {
          'openspec/specs/checkout/spec.md': spec('Checkout of checkout'),
          'openspec/specs/identity/login/spec.md': spec('Login'),
          'openspec/specs/books/shelves/spec.md': spec('Shelves'),
          'openspec/changes/better/proposal.md': '# Better\n',
          'openspec/changes/better/specs/checkout/spec.md': delta,
        },
        readers: ['*'],
      },
      'a/docs': { files: { 'openspec/specs/books/spec.md': spec('Books') }, readers: ['*'] },
    });
  const linesOf = (html: string): string[] =>
    [
      ...html.matchAll(
        /<h[23] class="folder[^>]*>(.*?)<\/h[23]>|<a (?=[^>]*class="ttl")[^>]*href="([^"]+)"[^>]*>(.*?)<\/a>/gu,
      ),
    ].map(([, head, to, name]) => (head === undefined ? `${name} at ${to}` : head.replace(/<[^>]+>/gu, '')));

  test('are listed by source, the caller’s own first, then by folder', async () => {
    using page = asking(await catalog(), ['payments']);
    expect(linesOf((await page.get('/specs')).body)).toEqual([
      'payments/shop',
      'checkout at /specs/payments/shop:checkout',
      'a/docs',
      'books at /specs/books',
      'checkout/skills',
      'checkout at /specs/checkout/skills:checkout',
      'books/',
      'shelves at /specs/books/shelves',
      'identity/',
      'login at /specs/identity/login',
    ]);
    const { specs } = JSON.parse((await page.get('/api/specs?limit=2')).body);
    expect(specs).toMatchObject([
      { id: 'payments/shop:checkout', root: 'payments/shop' },
      { id: 'books', root: 'a/docs' },
    ]);
  });

  test('each show their source', async () => {
    using page = asking(await catalog(), ['payments']);
    const crumbOf = async (at: string): Promise<string | undefined> =>
      /<p class="crumb">(.*?)<\/p>/u.exec((await page.get(at)).body)?.[1]?.replace(/<[^>]+>/gu, '');
    expect(await crumbOf('/specs/checkout/skills:checkout')).toBe('Specs / checkout/skills');
    expect(await crumbOf('/specs/identity/login')).toBe('Specs / checkout/skills / identity');
  });

  test('a change shows its source and its errors, because there is no problems page', async () => {
    const shared = await sharedCatalog({
      'a/docs': {
        files: {
          'openspec/specs/books/spec.md': spec('Books'),
          'openspec/changes/odd/proposal.md': '# Odd\n',
          'openspec/changes/odd/specs/books/spec.md': delta.replace(/#### [^]*/u, ''),
        },
      },
    });
    using page = asking(shared, ['a']);
    const { body } = await page.get('/changes/odd');
    expect(body).not.toMatch(/\/problems|table of agents/u);
    const shown = body.replace(/<[^>]+>/gu, '');
    expect(shown).toContain('Changes / a/docs / draft');
    expect(shown).toContain('2 errors');
    expect(shown).toMatch(/scenario.*a\/docs\/openspec\/changes\/odd\/specs\/books\/spec\.md:3/su);
  });

  test('are shown with their path in the source next to a change', async () => {
    using page = asking(await catalog(), ['payments']);
    const { body } = await page.get('/changes/better');
    expect(body).toContain('Now, <span class="path">checkout/skills/openspec/specs/checkout/spec.md</span>');
  });
});

test('pages show no modification time for published files', async () => {
  using page = asking(await sharedCatalog(COMPANY), ['payments']);
  const { changes } = JSON.parse((await page.get('/api/changes')).body);
  expect(changes).toHaveLength(4);
  for (const change of changes) expect(change).not.toHaveProperty('modified');
  for (const at of ['/', '/changes', '/skills/payments%2Fshop:release-notes', '/specs/checkout'])
    expect.soft((await page.get(at)).body, at).not.toMatch(/1970|<dt>changed/u);
});

test('an unexpected error shows an ID, which the log has without names', async () => {
  using page = asking(await sharedCatalog(COMPANY), ['payments'], new Error('a bug with /secret/paths'));
  for (const path of ['/sources/payments/shop', '/api/sources/payments/shop']) {
    const { status, body } = await page.get(path);
    expect(status).toBe(500);
    expect(body).not.toContain('secret');
    const [, id = 'none'] = /under (\w{8})\./u.exec(body) ?? [];
    expect(page.warnings.at(-1)).toBe(`error ${id} at /sources/:team/:name`);
  }
});

test('hidden content changes nothing but the snapshot number on any page or twin', async () => {
  const word = fc.constantFrom('pdf', 'order', 'refund', 'ledger', 'books');
  const files = fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((names): SourceFiles => ({
    ...Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, skill(name, names.join(' '))])),
    [`openspec/specs/${names[0] ?? ''}/spec.md`]: `# ${names.join(' ')}\n\n## Purpose\nP\n\n## Requirements\n\n### Requirement: ${names.join(' ')}\nIt SHALL.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n`,
    [`openspec/changes/add-${names[0] ?? ''}/proposal.md`]: `# Add\n\n## Why\nBecause.\n`,
  }));
  const source = fc.record({
    team: fc.constantFrom('a', 'b', 'c'),
    files,
    readers: fc.uniqueArray(fc.constantFrom('a', 'b', '*'), { maxLength: 1 }),
  });
  const addresses = [
    '/',
    '/api/overview',
    '/skills',
    '/skills?q=order',
    '/skills?q=odrer',
    '/api/skills?source=b%2Fs0',
    ...['pdf', 'refund', 'zzz', 'b/s1:books'].flatMap((name) => [
      `/skills/${encodeURIComponent(name)}`,
      `/api/skill?name=${encodeURIComponent(name)}`,
    ]),
    '/specs',
    '/specs/order',
    '/api/specs',
    '/changes',
    '/changes/add-pdf',
    '/sources',
    '/api/sources?q=b',
    ...['a/s0', 'b/s1', 'c/s2', 'd/none'].flatMap((name) => [`/sources/${name}`, `/api/sources/${name}`]),
    '/api/search?q=refund',
    '/api/search?q=refnd',
    '/api/search?q=zorblex&mode=keyword',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 4 }), async (given) => {
      const all = Object.fromEntries(
        given.map((each, index) => [`${each.team}/s${index}`, { ...each, published: PUBLISHED }]),
      );
      const visible = Object.fromEntries(
        Object.entries(all).filter(([, { team, readers }]) => team === 'a' || readers.some((reader) => reader !== 'b')),
      );
      using full = asking(await sharedCatalog(all, 8), ['a']);
      using bare = asking(await sharedCatalog(visible, 7), ['a']);
      for (const address of addresses) {
        const [one, other] = [await full.get(address), await bare.get(address)];
        const text = ({ status, body }: typeof one): string =>
          `${address} ${status} ${body.replace(/ [78](?= ?<\/span>)/gu, '')}`;
        expect(text(one)).toBe(text(other));
        expect([one, other].map(({ headers }) => headers.get('lectern-snapshot'))).toEqual(['8', '7']);
      }
    }),
    { numRuns: times(10) },
  );
});

describe('many skills', () => {
  const SOURCES = 15;
  const EACH = times(100, 700);
  const LIST_BYTES = 150_000;

  const catalog = () =>
    sharedCatalog(
      Object.fromEntries(
        Array.from({ length: SOURCES }, (_, at): [string, TestSource] => [
          `team-${at}/skills`,
          {
            readers: ['*'],
            files: Object.fromEntries(
              Array.from({ length: EACH }, (__, index) => [
                // Every tenth name is in every source, so many names are ambiguous.
                `skills/skill-${at}-${index}/SKILL.md`,
                skillText({
                  name: index % 10 === 0 ? `common-${index}` : `skill-${at}-${index}`,
                  description: `Does thing number ${index} for people who need it, and for those who ask for what is near it.`,
                }),
              ]).concat(
                Array.from({ length: EACH / 10 }, (__, index) => [
                  `openspec/specs/part-${at}-${index}/spec.md`,
                  `# Part\n\n## Purpose\nWhat this part must do for all who use it.\n\n## Requirements\n\n### Requirement: R\nIt SHALL.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n`,
                ]),
                Array.from({ length: EACH / 10 }, (__, index) => [
                  `openspec/changes/change-${at}-${index}/proposal.md`,
                  `# Change\n\n## Why\nBecause.\n`,
                ]),
              ),
            ),
          },
        ]),
      ),
    );

  test('pages and twins stay small, and pagination reaches the end of every list', async () => {
    using page = asking(await catalog(), ['team-3']);
    const addresses = ['/', '/skills', '/skills?q=thing', '/specs', '/changes', '/sources', '/search?q=thing'];
    for (const address of [...addresses, ...addresses.map((path) => `/api${path === '/' ? '/overview' : path}`)]) {
      const { status, body } = await page.get(address);
      expect.soft([address, status]).toEqual([address, 200]);
      expect.soft(Buffer.byteLength(body), address).toBeLessThan(LIST_BYTES);
    }
    const everything = async (list: string, key: string): Promise<Set<unknown>> => {
      const found = new Set<unknown>();
      let cursor: string | undefined;
      do {
        const { body } = await page.get(`/api/${list}?limit=400${cursor === undefined ? '' : `&cursor=${cursor}`}`);
        const answer = JSON.parse(body);
        for (const item of answer[list]) found.add(item[key]);
        cursor = answer.nextCursor;
      } while (cursor !== undefined);
      return found;
    };
    expect((await everything('skills', 'path')).size).toBe(SOURCES * EACH);
    expect((await everything('specs', 'id')).size).toBe((SOURCES * EACH) / 10);
    expect((await everything('sources', 'source')).size).toBe(SOURCES);
  });

  test('totals are computed once for all callers with the same view', async () => {
    const shared = await catalog();
    using page = asking(shared, ['team-3']);
    const addresses = ['/', '/skills', '/skills?cursor=200', '/specs', '/changes', '/sources', '/api/skills'];
    for (const address of addresses) await page.get(address);
    const looks: string[] = [];
    using _watching = watchingArrays(SOURCES * EACH, (name) => looks.push(name));
    for (const address of addresses) await page.get(address);
    expect(looks).toEqual([]);
  });
});
