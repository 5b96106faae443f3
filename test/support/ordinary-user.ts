/**
 * Permissions mean something to an ordinary user only. If the tests run as root, they start the command as nobody instead,
 * with copies of what nobody cannot reach: the checkout may lie in a folder that only its owner may enter.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** How to start the command without privileges. */
export interface OrdinaryUser {
  node: string;
  cli: string;
  /** Given only if the tests run as somebody else. */
  ids: { uid: number; gid: number } | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if there is no way to be an ordinary user here. */
    ordinaryUser: OrdinaryUser | undefined;
  }
}

const NOBODY = { uid: 65_534, gid: 65_534 };

export function prepareOrdinaryUser(cli: string): { user: OrdinaryUser | undefined; remove: () => void } {
  const nothing = (): void => undefined;
  if (process.platform === 'win32') return { user: undefined, remove: nothing };
  if (process.getuid?.() !== 0) return { user: { node: process.execPath, cli, ids: undefined }, remove: nothing };
  const inPlace = { node: process.execPath, cli, ids: NOBODY };
  if (canStart(inPlace)) return { user: inPlace, remove: nothing };
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-test-'));
  const copies = { node: path.join(dir, 'node'), cli: path.join(dir, 'dist', path.basename(cli)), ids: NOBODY };
  fs.chmodSync(dir, 0o755);
  fs.cpSync(path.dirname(cli), path.dirname(copies.cli), { recursive: true });
  let user: OrdinaryUser = { ...copies, node: process.execPath };
  if (!canStart(user)) {
    fs.copyFileSync(process.execPath, copies.node);
    user = copies;
  }
  return {
    user: canStart(user) ? user : undefined,
    remove: () => fs.rmSync(dir, { recursive: true, force: true }),
  };
}

function canStart({ node, cli, ids }: OrdinaryUser): boolean {
  return spawnSync(node, [cli, '--version'], { ...ids, cwd: '/', env: {} }).status === 0;
}
