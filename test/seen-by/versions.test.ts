/** The installed version of an agent, and the rules that apply to it. */
import { expect, test } from 'vitest';
import { codex } from '../../src/agents/profiles/codex.ts';
import { asInstalled, isNewer } from '../../src/agents/versions.ts';
import { agents } from '../../src/operations/agents.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { renderAgents } from '../../src/render/agents-here.ts';
import { renderDoctor } from '../../src/render/doctor.ts';
import { makeStyle } from '../../src/render/style.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';

test.each([
  ['2.1.326', '2.1.325', true],
  ['2.1.325', '2.1.325', false],
  ['2.1.324', '2.1.325', false],
  ['2.10.0', '2.9.9', true],
  ['3', '2.9.9', true],
  ['0.62.0-preview.1', '0.61.0', true],
  ['0.61.0-preview.1', '0.61.0', false],
  ['0.61.0', '0.61.0-preview.1', true],
  ['latest', '0.61.0', false],
])('whether %s is newer than %s: %s', (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});

test.each([
  ['0.168.9', 459, '0.166.0'],
  ['0.169.0', 624, '0.169.0'],
  ['0.169.1', 624, '0.169.0'],
  [undefined, 624, '0.169.0'],
])('Codex %s has an openai-docs of %i characters', (installed, characters, version) => {
  const profile = asInstalled(codex, installed);
  expect(profile.builtIn.find(({ name }) => name === 'openai-docs')?.characters).toBe(characters);
  expect(profile.version).toBe(version);
});

const PLAIN = makeStyle({ color: false });
const BIN = '/opt/claude-code';
const files = (version: string): Record<string, string> => ({
  'home/.claude/settings.json': '{}',
  [`${BIN}/claude`]: '',
  [`${BIN}/package.json`]: JSON.stringify({ name: '@anthropic-ai/claude-code', version }),
});
const LINE = 'rules observed with 2.1.327; installed: 2.1.328';

test('the installed version is shown beside the one that the rules were observed with', async () => {
  const workspace = await project(files('2.1.328')).open({ environment: { PATH: BIN } });
  const one = await ask(agents, { agent: 'claude' }, workspace);
  expect(one.agent).toMatchObject({ version: '2.1.327', installed: '2.1.328', newer: true });
  expect(renderAgents(one, PLAIN)).toContain(LINE);
  expect(renderAgents(await ask(agents, {}, workspace), PLAIN)).toContain(LINE);
});

test.each([
  ['2.1.326', false],
  ['2.1.327', false],
  ['2.1.328', true],
])('doctor lists Claude Code %s as newer than its profile: %s', async (version, isListed) => {
  const workspace = await project(files(version)).open({ environment: { PATH: BIN } });
  const output = await ask(doctor, {}, workspace);
  expect(output.agents[0]?.installed).toBe(version);
  expect(renderDoctor(output, PLAIN, { verbose: false }).includes('rules observed with')).toBe(isListed);
});
