import { amp } from './amp.ts';
import { claude } from './claude.ts';
import { claudeDesktop } from './claude-desktop.ts';
import type { Client } from './client.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { generic } from './generic.ts';
import { goose } from './goose.ts';
import { kilo } from './kilo.ts';
import { kiro } from './kiro.ts';
import { type ClientName, GENERIC_NAME, type SetupName } from './names.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

export const CLIENTS: Record<ClientName, Client> = {
  claude,
  codex,
  cursor,
  vscode,
  gemini,
  zed,
  opencode,
  copilot,
  'claude-desktop': claudeDesktop,
  windsurf,
  kiro,
  goose,
  amp,
  qwen,
  kilo,
  cline,
};

export function clientFor(name: SetupName): Client {
  return name === GENERIC_NAME ? generic : CLIENTS[name];
}
