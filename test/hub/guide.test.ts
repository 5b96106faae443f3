import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { callTool, type Replica, startReplica } from '../support/replica.ts';
import { lectern, PACKAGE_DIR } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ADDRESS = 'https://skills.example.com';

test.skipIf(!hasPostgres)(
  'the commands of docs/shared.md, in their order, set up a catalog that agents can read',
  async () => {
    const page = fs.readFileSync(path.join(PACKAGE_DIR, 'docs/shared.md'), 'utf8');
    const commands = [...page.matchAll(/^```sh\n(.*?)^```/gmsu)]
      .flatMap(([, block = '']) => block.split('\n'))
      .filter((line) => line.startsWith('lectern '));
    expect(commands.length).toBeGreaterThan(9);
    await using postgres = await startPostgres();
    using folder = tempFolder({
      'project/skills/refund/SKILL.md': '---\nname: refund\ndescription: Pay money back.\n---\n\nPay back.\n',
    });
    const database = await postgres.database();
    const secrets: string[] = [];
    let replica: Replica | undefined;
    let version = 0;
    try {
      for (const line of commands) {
        const words = line
          .split(' ')
          .slice(1)
          .map((word) => word.replaceAll("'", ''));
        if (words[0] === 'serve') {
          replica = await startReplica(database, folder.at('cache'), ['--host', '127.0.0.1']);
          continue;
        }
        const args = words.map((word) => word.replace(ADDRESS, replica?.url ?? '').replace('1234', String(version)));
        const { code, stdout, stderr } = await lectern(folder, [...args, '--json'], {
          env: { LECTERN_DATABASE_URL: database, LECTERN_PUBLISH_TOKEN: secrets[1] },
        });
        expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
        const { token, number } = JSON.parse(stdout) as { token?: string; number?: number };
        if (token !== undefined) secrets.push(token);
        if (words[0] === 'publish') version = number ?? 0;
      }
      const answer = await callTool(replica?.url ?? '', secrets[0] ?? '', 'skill', { name: 'refund' });
      expect(answer.body.result.content[0].text).toContain('Pay back.');
      const [, , revoked = ''] = secrets;
      const withRevoked = () => callTool(replica?.url ?? '', revoked, 'skill', { name: 'refund' });
      await expect.poll(async () => (await withRevoked()).status).toBe(401);
      const [, twin = ''] = /^curl .* https:\/\/skills\.example\.com(\/\S+)$/mu.exec(page) ?? [];
      const headers = { authorization: `Bearer ${secrets[0]}` };
      const told = (await (await fetch(`${replica?.url}${twin}`, { headers })).json()) as { sources: unknown[] };
      expect(told.sources).toMatchObject([{ source: 'payments/skills', own: true, skills: 1 }]);
    } finally {
      await replica?.kill('SIGTERM');
    }
    // Asked to end, it says so and ends by itself.
    expect(replica?.log()).toContain('stopped');
  },
);

/** The flags that an example starts a replica with. */
function servingFlags(file: string): string[] {
  const find = (value: unknown): string[][] => {
    if (Array.isArray(value) && value[1] === 'serve') return [value.slice(2).map(String)];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(find) : [];
  };
  const text = fs.readFileSync(path.join(PACKAGE_DIR, 'examples', file), 'utf8');
  const [flags = []] = parseAllDocuments(text).flatMap((document) => find(document.toJS()));
  return flags;
}

function statusAt(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http
      .get(`${url}/readyz`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject);
  });
}

test.skipIf(!hasPostgres).each([
  ['compose/compose.yaml', ['localhost:3000', 'localhost:3001']],
  // Probes name the address of the pod.
  ['kubernetes/lectern.yaml', ['skills.example.com', '10.1.2.3:3000', '[fd00::7]:3000']],
])('a replica of examples/%s answers at %j, and nowhere else', async (file, hosts) => {
  await using postgres = await startPostgres();
  using folder = tempFolder();
  const flags = servingFlags(file).filter((flag) => !/^--(?:host|cache)=/u.test(flag));
  expect(flags.length).toBeGreaterThan(0);
  await using replica = await startReplica(await postgres.database(), folder.at('cache'), flags);
  for (const host of hosts) expect([host, await statusAt(replica.url, host)]).toEqual([host, 200]);
  expect(await statusAt(replica.url, 'elsewhere.example.com')).toBe(403);
});
