/** Installs the stand-in of an agent in a folder of commands, as npm does. */
import fs from 'node:fs';
import path from 'node:path';
import { PACKAGE_DIR } from './run-lectern.ts';
import type { TempFolder } from './temp-folder.ts';

const SCRIPT = path.join(PACKAGE_DIR, 'test/fixtures/stand-in-agent/agent.mjs');
const PACKAGES = { claude: '@anthropic-ai/claude-code', codex: '@openai/codex' } as const;

/** Returns the variables for the command. Without a version, the command is not from npm. */
export function installStandIn(
  folder: TempFolder,
  agent: keyof typeof PACKAGES,
  version: string | undefined,
): { PATH: string; STAND_IN_RECORD: string } {
  const dir = version === undefined ? 'bin' : `bin/node_modules/${PACKAGES[agent]}`;
  fs.rmSync(folder.at('bin'), { recursive: true, force: true });
  folder.write({
    [`${dir}/cli.mjs`]: fs.readFileSync(SCRIPT),
    ...(version === undefined ? {} : { [`${dir}/package.json`]: JSON.stringify({ name: PACKAGES[agent], version }) }),
    [`bin/${agent}`]: { link: folder.at(dir, 'cli.mjs') },
  });
  fs.chmodSync(folder.at(dir, 'cli.mjs'), 0o755);
  const node = path.dirname(process.execPath);
  return { PATH: [folder.at('bin'), node].join(path.delimiter), STAND_IN_RECORD: folder.at('record.json') };
}

export interface StandInRecord {
  args: string[];
  files: string[];
  env: Record<string, string | undefined>;
  top: string;
  mode: number;
  pid: number;
  child?: number;
}

/** Undefined if it was not started. */
export function standInRecord(folder: TempFolder): StandInRecord | undefined {
  const file = folder.at('record.json');
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as StandInRecord) : undefined;
}
