import { expect, test } from 'vitest';
import { fitList, type FitOutput } from '../../src/operations/fit.ts';
import { localDay } from '../../src/core/local-day.ts';
import { askOperation } from '../../src/web/ask.ts';
import { crowdedHome } from '../support/crowded-home.ts';
import { HOME, project, type ProjectFiles } from '../support/project.ts';

async function pageOf(input: object, more: ProjectFiles = {}): Promise<FitOutput> {
  const workspace = await project({ ...crowdedHome(), ...more }).open({ environment: {} });
  return askOperation(workspace, fitList, input, { isForPage: true });
}

test('every strip is as long as its figures, in the unit of the agent', async () => {
  for (const agent of ['claude', 'codex', 'copilot']) {
    const { strips = [], agent: summary, remedies } = await pageOf({ agent });
    expect(strips.map(({ id }) => id)).toEqual([undefined, ...remedies.map(({ id }) => id)]);
    expect(strips[0]).toMatchObject({ used: summary.budget.used, wanted: summary.budget.wanted });
    for (const { blocks, used, wanted } of strips) {
      const sum = (isCounted: (kind: string) => boolean): number =>
        blocks.reduce((all, { kind, length }) => all + (isCounted(kind) ? length : 0), 0);
      expect([agent, sum((kind) => kind !== 'lost')]).toEqual([agent, used]);
      expect([agent, sum(() => true)]).toEqual([agent, wanted]);
      let at = 0;
      for (const { from, length } of blocks) {
        expect(from).toBe(at);
        at += length;
      }
    }
  }
});

test('cut descriptions are split where the model stops reading, longest loss first', async () => {
  const { cut = [], cutTotal, now } = await pageOf({ agent: 'codex' });
  expect(cutTotal).toBe(now.shortened + now.nameOnly + now.dropped);
  expect(cut.map(({ lostCharacters }) => lostCharacters)).toEqual(
    cut.map(({ lostCharacters }) => lostCharacters).toSorted((a, b) => b - a),
  );
  for (const { name, text, lost, characters, lostCharacters } of cut) {
    const [, folder = ''] = Object.entries(crowdedHome()).find(([file]) => file.includes(`/${name}/`)) ?? [];
    expect(folder).toContain(`description: ${text}${lost}\n`);
    expect([text.length + lost.length, lost.length]).toEqual([characters, lostCharacters]);
  }
});

test('skills that fell out of a full list are cut completely', async () => {
  const {
    now,
    cutTotal,
    cut = [],
    strips = [],
  } = await pageOf({ agent: 'codex' }, { 'home/.codex/config.toml': '[skills]\nmax_context_tokens = 600\n' });
  expect(now.dropped).toBeGreaterThan(0);
  expect(cutTotal).toBe(now.shortened + now.nameOnly + now.dropped);
  expect(cut.filter(({ status }) => status === 'dropped').every(({ text }) => text === '')).toBe(true);
  expect(strips[0]?.blocks.at(-1)?.label).toBe('dropped skills');
});

test('after a remedy, the descriptions that are still cut are shown', async () => {
  const { cutTotal, remedies } = await pageOf({ agent: 'codex', after: 'limit' });
  const limit = remedies.find(({ id }) => id === 'limit');
  expect(cutTotal).toBe((limit?.shortened ?? 0) + (limit?.nameOnly ?? 0));
  expect((await pageOf({ agent: 'codex', after: 'shorten' })).cutTotal).toBe(0);
});

test('loads are shown only if they are counted and there are some', async () => {
  const on = { 'home/.config/lectern/config.json': '{"usage":true}' };
  const used = 'json-schemas-review';
  const loads = { [`${HOME}/.agents/skills/${used}`]: 3 };
  const counts = { 'home/.local/state/lectern/usage.json': JSON.stringify({ days: { [localDay()]: loads } }) };
  const { cut = [] } = await pageOf({ agent: 'codex' }, { ...on, ...counts });
  expect(cut.find(({ name }) => name === used)?.loads).toBe(3);
  expect(cut.find(({ name }) => name !== used)?.loads).toBe(0);
  for (const files of [{}, on, counts])
    expect((await pageOf({ agent: 'codex' }, files)).cut?.[0]).not.toHaveProperty('loads');
});

test('the page writes nothing: parameters that change settings are not passed on', async () => {
  const { fitPage } = await import('../../src/web/pages/fit.tsx');
  const given = { agent: 'codex', limit: 'all', reset: 'true', unused: '1', shorten: 'true', scope: 'user' };
  expect(Object.entries(fitPage.twin.input(given)).filter(([, value]) => value !== undefined)).toEqual([
    ['agent', 'codex'],
  ]);
});
