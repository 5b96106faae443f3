/** Installs agents from npm, each at its newest version, into a cache folder outside the project. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { project } from '../support/project.ts';
import type { ListedAgent } from './agents.ts';
import { runToItsEnd } from './run-to-its-end.ts';

/** Agents are large, so all checkouts share them. */
const PACKAGES =
  process.env['LECTERN_AGENT_PACKAGES'] ??
  path.join(process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache'), 'lectern', 'agents');
const INSTALLED_WITHIN_MS = 300_000;
/** How many versions before the newest one are tried. A registry may lack the parts of a new release. */
const OLDER_VERSIONS = 8;
/** Node.js for agents that require a newer one than runs the tests. */
const NEWER_NODE = '24';

const Manifest = z.object({
  version: z.string(),
  engines: z.object({ node: z.string().optional() }).optional(),
});
/** The newest version when the agent was installed, and why an older one was taken. */
const Tried = z.object({ newest: z.string(), reason: z.string().optional() });

type Installable = Pick<ListedAgent, 'client' | 'package' | 'bin'>;

const folderOf = ({ client }: Installable): string => path.join(PACKAGES, client);

export const binOf = (agent: Installable): string => path.join(folderOf(agent), 'node_modules/.bin', agent.bin);

/** Installs an agent unless it is already there. Returns the reason if that is not possible. */
export async function install(agent: Installable): Promise<string | undefined> {
  const versions = await findVersions(agent);
  const [newest] = versions;
  // Without a registry, an installed agent still runs.
  if (newest === undefined) return (await starts(agent)) ? undefined : `npm does not know ${agent.package}`;
  if (readTried(agent)?.newest === newest && (await starts(agent))) return undefined;
  let reason: string | undefined;
  for (const version of versions.slice(0, OLDER_VERSIONS)) {
    const trouble = await installVersion(agent, version);
    if (trouble === undefined) {
      const tried: z.infer<typeof Tried> = { newest, ...(reason === undefined ? {} : { reason }) };
      fs.writeFileSync(path.join(folderOf(agent), 'tried.json'), JSON.stringify(tried));
      return undefined;
    }
    reason ??= trouble;
  }
  return reason;
}

/** Returns the version that is installed. */
export function installedVersion(agent: Installable): string | undefined {
  return readManifest(agent)?.version;
}

/** Returns why an older version than the newest one is installed, if it is. */
export function whyOlder(agent: Installable): string | undefined {
  const { newest, reason } = readTried(agent) ?? {};
  return reason === undefined ? undefined : `${installedVersion(agent)} instead of ${newest}: ${reason}`;
}

/** Returns the PATH that an agent is started with. */
export function searchPath(agent: Installable): string {
  const own = process.env['PATH'] ?? '';
  return needsNewerNode(agent) ? [nodeFolder(), own].join(path.delimiter) : own;
}

const nodeFolder = (): string => path.join(PACKAGES, 'node', 'node_modules', 'node', 'bin');

function needsNewerNode(agent: Installable): boolean {
  const [, wanted = '0'] = /(\d+)/u.exec(readManifest(agent)?.engines?.node ?? '') ?? [];
  return Number(wanted) > Number(process.versions.node.split('.')[0]);
}

async function installVersion(agent: Installable, version: string): Promise<string | undefined> {
  const wanted = `${agent.package}@${version}`;
  const trouble = await npmInstall(folderOf(agent), wanted);
  if (trouble !== undefined) return `npm could not install ${wanted}: ${trouble}`;
  if (needsNewerNode(agent) && !fs.existsSync(path.join(nodeFolder(), 'node'))) {
    const nodeTrouble = await npmInstall(path.join(PACKAGES, 'node'), `node@${NEWER_NODE}`);
    if (nodeTrouble !== undefined) return `npm could not install node@${NEWER_NODE}: ${nodeTrouble}`;
  }
  return (await starts(agent)) ? undefined : `${wanted} was installed and does not start`;
}

async function npmInstall(dir: string, wanted: string): Promise<string | undefined> {
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, 'package.json'), '{"private":true}\n');
  const { exitCode, output } = await npm(dir, ['install', '--save-exact', '--no-audit', '--no-fund', wanted]);
  if (exitCode === 0) return undefined;
  return (
    /^npm error (?!code|path|command|errno|syscall)(?:npm error )?(?!code)(?:notarget )?(.*)$/mu.exec(output)?.[1] ??
    (output.trim().split('\n').at(-1) || 'it took too long')
  );
}

/** Returns the released versions, newest first. Empty if npm cannot find out. */
async function findVersions(agent: Installable): Promise<string[]> {
  fs.mkdirSync(PACKAGES, { recursive: true });
  const { exitCode, output } = await npm(PACKAGES, ['view', agent.package, 'version', 'versions', '--json']);
  if (exitCode !== 0) return [];
  const { version, versions } = z
    .object({ version: z.string(), versions: z.union([z.array(z.string()), z.string().transform((one) => [one])]) })
    .parse(JSON.parse(output.slice(output.indexOf('\n{') + 1, output.lastIndexOf('}') + 1)));
  const released = versions.filter((each) => /^[\d.]+$/u.test(each)).reverse();
  return [version, ...released.slice(released.indexOf(version) + 1)];
}

/** npm as a child of npm must not take settings from the run it is in. */
function npm(cwd: string, args: readonly string[]): ReturnType<typeof runToItsEnd> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') || name === 'npm_config_registry'),
  );
  return runToItsEnd('npm', args, { cwd, env }, INSTALLED_WITHIN_MS);
}

async function starts(agent: Installable): Promise<boolean> {
  const version = installedVersion(agent);
  if (version === undefined || !fs.existsSync(binOf(agent))) return false;
  using folder = project({}, 'disk');
  const { exitCode, output } = await runToItsEnd(binOf(agent), ['--version'], {
    cwd: folder.at('project'),
    env: { PATH: searchPath(agent), HOME: folder.at('home') },
  });
  return exitCode === 0 && output.includes(version);
}

function readManifest(agent: Installable): z.infer<typeof Manifest> | undefined {
  return readJson(path.join(folderOf(agent), 'node_modules', agent.package, 'package.json'), Manifest);
}

function readTried(agent: Installable): z.infer<typeof Tried> | undefined {
  return readJson(path.join(folderOf(agent), 'tried.json'), Tried);
}

function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  if (!fs.existsSync(file)) return undefined;
  return schema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
}
