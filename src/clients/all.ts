import { claude } from './claude.js';
import type { Client } from './client.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { cursor } from './cursor.js';
import { gemini } from './gemini.js';
import type { ClientName } from './names.js';
import { opencode } from './opencode.js';
import { vscode } from './vscode.js';
import { zed } from './zed.js';

export const CLIENTS: Record<ClientName, Client> = { claude, codex, cursor, vscode, gemini, zed, opencode, copilot };
