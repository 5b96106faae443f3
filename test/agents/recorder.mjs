// Stands between an agent and the server: starts the command with the same arguments and keeps what each says to the other.
import { spawn } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const record = process.env.LECTERN_RECORD ?? '';
const command = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const server = spawn(process.execPath, [command, ...process.argv.slice(2)], { stdio: ['pipe', 'pipe', 'inherit'] });
writeFileSync(record, '', { flag: 'a' });
for (const [from, to, side] of [
  [process.stdin, server.stdin, 'agent'],
  [server.stdout, process.stdout, 'server'],
]) {
  let rest = '';
  from.setEncoding('utf8');
  from.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) appendFileSync(record, `${JSON.stringify({ side, line })}\n`);
    to.write(text);
  });
  from.on('end', () => to.end());
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 1));
