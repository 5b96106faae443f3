// A server on the same SDK that knows nothing: four tools, one fixed answer. What Lectern costs is measured against it.
// With TEXT_BYTES=<n> the answer is one text of that length, as that of `skill` is.
// With SCAN=<dir> it first reads every SKILL.md below it whole, and again every 30 seconds, as simple skill servers do.
import { createServer } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const skills = new Map();
function scan() {
  if (process.env.SCAN === undefined) return;
  for (const entry of readdirSync(process.env.SCAN, { recursive: true, withFileTypes: true })) {
    if (entry.name !== 'SKILL.md') continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    const [, head = ''] = text.split(/^---$/mu);
    skills.set(/^name: (.*)$/mu.exec(head)?.[1], { text, description: /^description: (.*)$/mu.exec(head)?.[1] });
  }
}
scan();
if (process.env.SCAN !== undefined) setInterval(scan, 30_000).unref();

const inputSchema = z.strictObject({ name: z.string().min(1) });
const outputSchema = z.object({ name: z.string(), content: z.string() });
const length = process.env.TEXT_BYTES;
const content = 'word '.repeat(Number(length ?? 3_000) / 5);
const list = [...skills].map(([name, { description }]) => `- ${name}: ${description}`).join('\n');

function factory() {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  for (const tool of ['skill', 'skills_list', 'skills_search', 'skill_file']) {
    server.registerTool(
      tool,
      { title: tool, description: `A tool.\n${list}`, inputSchema, ...(length === undefined ? { outputSchema } : {}) },
      ({ name }) => ({
        content: [{ type: 'text', text: content }],
        ...(length === undefined ? { structuredContent: { name, content } } : {}),
      }),
    );
  }
  return server;
}

if (process.argv[2] === 'http') {
  const handler = toNodeHandler(createMcpHandler(factory, { legacy: 'reject' }));
  const server = createServer((request, response) => void handler(request, response));
  server.listen(0, '127.0.0.1', () => process.stderr.write(`at http://127.0.0.1:${server.address().port}/mcp;\n`));
} else {
  serveStdio(factory);
}
