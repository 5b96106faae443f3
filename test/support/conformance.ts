/** The official conformance suite: one scenario against a server. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { findFetched } from './fetched-packages.ts';

const run = promisify(execFile);
/** Undefined if the suite could not be installed. */
export const CONFORMANCE_SUITE = findFetched('conformance', 'dist/index.js');
const ON_THIS_NODE = fileURLToPath(new URL('conformance-on-node-20.mjs', import.meta.url));

/** Checks that need a tool, a prompt or a change made for the suite. A skill server has none, and the suite calls that a failure. */
const NOT_TESTABLE: Readonly<Record<string, readonly string[]>> = {
  'server-stateless': ['ServerRejectsUndeclaredCapability', 'MissingCapabilityHttp400'],
};

export async function expectConformance(url: string, cwd: string, version: string, scenario: string): Promise<void> {
  if (CONFORMANCE_SUITE === undefined) throw new Error('The conformance suite is missing.');
  const args = [
    '--import',
    ON_THIS_NODE,
    CONFORMANCE_SUITE,
    'server',
    '--url',
    url,
    '--scenario',
    scenario,
    '--spec-version',
    version,
    '--force',
  ];
  const { stdout } = await run(process.execPath, args, { cwd }).catch((error: { stdout: string }) => error);
  const [, passed = '0', all = '1'] = /Passed: (\d+)\/(\d+)/u.exec(stdout) ?? [];
  const failed = [...stdout.matchAll(/^ {2}- (\w+): .*\n {4}Error: (.*)$/gmu)].map(([, check = '', reason = '']) => ({
    check,
    reason,
  }));
  for (const { check, reason } of failed)
    expect([check, reason]).toEqual([check, expect.stringMatching(/^Not testable/u)]);
  expect(failed.map(({ check }) => check)).toEqual(expect.arrayContaining([...(NOT_TESTABLE[scenario] ?? [])]));
  expect(Number(passed) + failed.length).toBe(Number(all));
}
