/** The JSON twin of a page contains the data of the page. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { ofFolder, send, serve, type Served } from './served.ts';

describe('the twin of a page', () => {
  let folder: TempFolder;
  let served: Served;
  beforeAll(async () => {
    folder = tempFolder({
      'project/.claude/skills/notes/SKILL.md': skillText({ name: 'notes', description: 'Writes notes.' }),
      'project/.agents/skills/notes/SKILL.md': skillText({ name: 'notes', description: 'Writes other notes.' }),
      'project/.claude/skills/broken/SKILL.md': '---\nname: [\n---\n',
      'project/.codex/config.toml': '',
      'home/.claude/settings.json': '{}',
    });
    fs.cpSync(path.join(PACKAGE_DIR, 'examples/bookshop/openspec'), folder.at('project/openspec'), { recursive: true });
    served = await serve(ofFolder(folder));
  });
  afterAll(async () => {
    await served?.stop();
    folder?.[Symbol.dispose]();
  });

  const twin = async (address: string) => {
    const { status, body } = await send(served, address);
    expect([address, status]).toEqual([address, 200]);
    return JSON.parse(body);
  };

  test('of a skill has its text, findings, the verdict of each agent and the skills of the same name', async () => {
    const other = folder.at('project/.agents/skills/notes');
    const skill = await twin(`/api/skill?name=claude:notes&with=${encodeURIComponent(other)}`);
    expect(skill.body).toMatchObject({ from: 0, total: skill.body.text.length });
    expect(skill.findings).toEqual(expect.any(Array));
    expect(skill.seenBy.map(({ id }: { id: string }) => id)).toContain('claude');
    expect(skill.sameName).toMatchObject([
      { path: folder.at('project/.claude/skills/notes'), differingLines: 0, agents: ['Claude Code'] },
      { path: other, differingLines: 1 },
    ]);
    expect(skill.comparison.diff).toContain('+description: Writes other notes.');
    expect(skill.modified).toMatch(/^\d{4}-/u);
  });

  test('of a part of a text has only that part', async () => {
    const { body } = await twin('/api/skill?name=claude:notes&from=3');
    expect(body).toMatchObject({ from: 3 });
    expect(body.text).toHaveLength(body.total - 3);
  });

  test('of the list has broken files and, if nothing matches, similar names', async () => {
    const { broken, near } = await twin('/api/skills?q=ntoes');
    expect(broken.map(({ path: file }: { path: string }) => file)).toEqual([
      folder.at('project/.claude/skills/broken/SKILL.md'),
    ]);
    expect(near).toEqual(['notes']);
  });

  test('of the overview has the items that need attention and the files changed last', async () => {
    const { needsAttention: items, needsAttentionTotal: total, recent } = await twin('/api/overview');
    expect(items[0]).toMatchObject({ kind: 'finding', severity: 'error', skill: expect.stringContaining('broken') });
    expect(items.map(({ kind }: { kind: string }) => kind)).toContain('overlap');
    expect(total).toBeGreaterThanOrEqual(items.length);
    expect(recent).toHaveLength(5);
  });

  test('of a search has the place of each skill, the state of each change, and totals over all kinds', async () => {
    const skills = await twin('/api/search?q=notes&in=skills');
    expect(skills.results[0].skill).toMatchObject({ location: 'project', seenBy: expect.any(Number) });
    const changes = await twin('/api/search?q=wish+list&in=changes');
    expect(changes.results[0].change).toMatchObject({ state: expect.any(String) });
    expect(changes.allTotals.requirement).toBeGreaterThan(0);
    expect(changes.totals.requirement).toBe(0);
  });

  test('of a spec has the name of its root', async () => {
    expect(await twin('/api/spec?id=checkout')).toMatchObject({ root: expect.any(String) });
  });

  test('of a change has its header with overlaps', async () => {
    const { head } = await twin('/api/change?id=add-wish-list');
    expect(head).toMatchObject({ id: 'add-wish-list', archived: false, refused: 0, counts: { added: 1 } });
    expect(head.overlaps).toMatchObject([{ other: 'faster-checkout', shared: [{ requirement: expect.any(String) }] }]);
    expect((await twin('/api/change/texts?id=add-wish-list')).head).toEqual(head);
  });
});

const PAGES = path.join(PACKAGE_DIR, 'src/web/pages');

/** Pages whose source code matches a pattern. */
function pagesWith(pattern: RegExp): string[] {
  const files = fs.readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/u.test(file));
  return files.filter((file) => pattern.test(fs.readFileSync(path.join(PAGES, file), 'utf8')));
}

test('pages get their data from operations, never from the workspace or the disk', () => {
  expect(pagesWith(/from '[./]+\/(?:workspace|core\/disk|hub|store)\//u)).toEqual([]);
});

test('pages depend on what visitors can do, not on the kind of catalog', () => {
  expect(pagesWith(/\bisShared\b|catalogUrl [!=]==/u)).toEqual([]);
});
