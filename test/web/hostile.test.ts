/** A catalog whose author tries to run scripts in the pages or to deceive the reader. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { useBrowser, watch } from './browser.ts';
import { chromiumPath } from './chromium.ts';
import { BROWSER, ofFolder, send, serve, type Served } from './served.ts';

/** If executed, each would change the window title or contact another server. */
const ATTACKS = [
  `<script>document.title='owned'</script>`,
  `<img src=x onerror="document.title='owned'">`,
  `<svg onload="document.title='owned'"><script>document.title='owned'</script></svg>`,
  `"><script>document.title='owned'</script>`,
  `' onmouseover='document.title="owned"' x='`,
  `</title><script>document.title='owned'</script>`,
  `</pre></code></main><script>document.title='owned'</script>`,
  `[x](javascript:document.title='owned')`,
  `<a href="javascript:document.title='owned'">x</a>`,
  `![x](https://evil.example/pixel.png)`,
  `<style>*{display:none}</style><link rel=stylesheet href=https://evil.example/x.css>`,
  `<iframe src="https://evil.example/"></iframe><base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  '{{constructor.constructor("document.title=1")()}} ${document.title=1} <%= 1 %>',
];
const ALL = ATTACKS.join(' ');
const BIDI = 'safe\u202Egnp.exe\u2066\u2069 \u200Bhidden\u{E0041}\u{E0042}';

const yaml = (text: string): string => JSON.stringify(text);

const FILES = {
  'project/.claude/skills/attack/SKILL.md': `---\nname: attack\ndescription: ${yaml(`${ALL} ${BIDI}`)}\nlicense: ${yaml(ALL)}\nmetadata:\n  ${yaml(ALL)}: ${yaml(ALL)}\n---\n\n${ATTACKS.join('\n\n')}\n\n${BIDI}\n\n\`\`\`html\n${ALL}\n\`\`\`\n\n| a |\n|:-:|\n| ${ATTACKS[1] ?? ''} |\n`,
  'project/.claude/skills/<img src=x onerror=alert(1)>/SKILL.md': `---\nname: ${yaml('<img src=x onerror=alert(1)>')}\ndescription: An evil name\n---\n\nText.\n`,
  'project/.claude/skills/broken/SKILL.md': `---\nname: [${ALL}\ndescription: : : ${ALL}\n`,
  'project/.claude/skills/long/SKILL.md': `---\nname: long\ndescription: One line of a megabyte\n---\n\n${'x'.repeat(900_000)}\n`,
  'project/.claude/skills/attack/evil.html': `<!doctype html><script>document.title='owned'</script>`,
  'project/.claude/skills/attack/evil.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='owned'"/>`,
  'project/.claude/skills/attack/x.pdf': new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 1, 2, 3]),
  'project/.claude/skills/attack/references/<b onmouseover=alert(1)>.md': ALL,
  'project/openspec/specs/attack/spec.md': `# attack Specification\n\n## Purpose\n${ALL} and more words so that it is long enough to count.\n\n## Requirements\n\n### Requirement: ${ATTACKS[0] ?? ''}\nThe system SHALL ${ALL} ${BIDI}\n\n#### Scenario: ${ATTACKS[1] ?? ''}\n- **WHEN** ${ALL}\n- **THEN** ${ALL}\n`,
  'project/openspec/changes/attack/proposal.md': `# ${ALL}\n\n## Why\n${ALL}\n\n## What Changes\n- ${ALL}\n`,
  'project/openspec/changes/attack/tasks.md': `## 1. ${ALL}\n- [ ] 1.1 ${ALL}\n`,
  'project/openspec/changes/attack/design.md': ALL,
  'project/openspec/changes/attack/specs/attack/spec.md': `## MODIFIED Requirements\n\n### Requirement: ${ATTACKS[0] ?? ''}\nThe system SHALL not ${ALL}\n\n#### Scenario: ${ATTACKS[1] ?? ''}\n- **WHEN** ${ALL}\n- **THEN** nothing\n`,
  'home/.claude/skills/attack/SKILL.md': `---\nname: attack\ndescription: ${yaml(ALL)}\n---\n\nAnother text.\n`,
};

describe.skipIf(chromiumPath === undefined)('a hostile catalog', () => {
  const browser = useBrowser();
  let folder: TempFolder;
  let served: Served;
  let addresses: string[];
  beforeAll(async () => {
    folder = tempFolder(FILES);
    served = await serve(ofFolder(folder));
    const attack = encodeURIComponent(folder.at('project/.claude/skills/attack'));
    const other = encodeURIComponent(folder.at('home/.claude/skills/attack'));
    const q = encodeURIComponent(ATTACKS[3] ?? '');
    addresses = [
      '/',
      '/skills',
      `/skills?q=${q}&provider=${q}&agent=claude`,
      '/skills?state=broken',
      `/skills/claude:attack?copy=${attack}`,
      `/skills/claude:attack?copy=${attack}&with=${other}`,
      `/skills/${encodeURIComponent('claude:<img src=x onerror=alert(1)>')}`,
      `/skills/broken?copy=${encodeURIComponent(folder.at('project/.claude/skills/broken'))}`,
      '/skills/claude:long',
      ...['evil.html', 'evil.svg', 'x.pdf', 'references/<b onmouseover=alert(1)>.md', 'SKILL.md'].map(
        (file) => `/skills/claude:attack/file?copy=${attack}&path=${encodeURIComponent(file)}`,
      ),
      '/agents?show=all',
      '/agents/claude',
      `/agents/claude/why?skill=${attack}`,
      '/specs',
      '/specs/attack',
      '/changes',
      '/changes/attack',
      '/changes/attack/proposal',
      '/changes/attack/tasks',
      '/changes/attack/design',
      '/changes/attack/after',
      '/problems',
      `/search?q=${q}`,
      `/${q}`,
    ];
  });
  afterAll(async () => {
    await served?.stop();
    folder?.[Symbol.dispose]();
  });

  test('nothing runs, no title changes, nothing is loaded from other hosts, and the policy reports nothing', async () => {
    await using context = await browser.context({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const { trouble } = watch(page, served);
    for (const address of addresses) {
      trouble.length = 0;
      await page.goto(served.url + address);
      expect.soft(await page.title(), address).toMatch(/ · Lectern$/u);
      expect.soft(await page.title(), address).not.toMatch(/^(?:owned|1)/u);
      const found = await page.evaluate(() => ({
        handlers: [...document.querySelectorAll('*')]
          .flatMap((element) => [...element.attributes])
          .filter(({ name }) => name.startsWith('on') || name === 'style').length,
        strangers: document.querySelectorAll(
          'main script, main iframe, main img, main style, main link, main object, main embed, base, main meta',
        ).length,
        links: [...document.querySelectorAll('a[href]')]
          .map((link) => link.getAttribute('href') ?? '')
          .filter((href) => !/^(?:[?#]|\/(?![/\\])|https?:\/\/|mailto:)/u.test(href)),
      }));
      expect.soft(found, address).toEqual({ handlers: 0, strangers: 0, links: [] });
      expect
        .soft(
          trouble.filter((line) => !/status of (?:400|404)/u.test(line)),
          address,
        )
        .toEqual([]);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(wide, address).toBeLessThanOrEqual(0);
    }
  });

  test('characters that hide or reorder text are shown as code points on every page', async () => {
    const { body } = await send(served, addresses[4] ?? '', { headers: BROWSER });
    expect(body).toContain('\u27e8U+202E\u27e9');
    for (const address of addresses) {
      const page = await send(served, address, { headers: BROWSER });
      expect.soft(/[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]/u.test(page.body), address).toBe(false);
      expect.soft(page.body.length, address).toBeLessThan(500_000);
    }
  });

  test('bundled files are never rendered: text is shown as text, everything else is a download', async () => {
    const attack = encodeURIComponent(folder.at('project/.claude/skills/attack'));
    for (const file of ['evil.html', 'evil.svg', 'x.pdf']) {
      const kept = await send(served, `/skills/claude:attack/file?copy=${attack}&path=${file}&download=1`);
      expect.soft([file, kept.status, kept.headers['content-type']]).toEqual([file, 200, 'application/octet-stream']);
      expect.soft(kept.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''${file}`);
      expect.soft(kept.headers['content-security-policy']).toContain('sandbox');
    }
    const shown = await send(served, `/skills/claude:attack/file?copy=${attack}&path=evil.html`, { headers: BROWSER });
    expect(shown.body).toContain('&lt;script&gt;');
  });
});
