import { nodeFiles } from './node-tree.ts';
import { systemCode } from './reasons.ts';

/** Whether a process with this ID is running, for this user or another. */
export function isProcessAlive(pid: number): boolean {
  try {
    // Zero and negative numbers mean process groups.
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

const PROC_MAX_BYTES = 4096;

/** Reads a file below `/proc`. Empty if it cannot be read, as on systems other than Linux. */
function procFile(name: string): string {
  try {
    const bytes = Buffer.alloc(PROC_MAX_BYTES);
    return bytes.toString('latin1', 0, nodeFiles.readStart(`/proc/${name}`, bytes));
  } catch {
    return '';
  }
}

/** Returns the start time of a process, in the system's own units. Empty on systems other than Linux. */
export function startOf(pid: number): string {
  const text = procFile(`${pid}/stat`);
  // The second field is the name of the program, in parentheses, and may contain anything. The start is the 22nd.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

let secret: string | undefined;

/**
 * Returns a file name part that proves that this machine created the file since its last boot. A repository cannot contain such
 * a name, because it depends on the random boot ID of the machine. Systems other than Linux have no boot ID. There, each
 * process has its own secret, so files of earlier processes are not recognized.
 */
export function proofFor(name: string): string {
  // Loaded here, because commands that only read do not need it.
  const { createHash, randomBytes } = process.getBuiltinModule('node:crypto');
  secret ??= procFile('sys/kernel/random/boot_id').trim() || randomBytes(16).toString('hex');
  return createHash('sha256').update(`${secret}\n${name}`).digest('hex').slice(0, 16);
}

/** Whether the recorded process is still running. Another process may have reused its ID, but with a later start time. */
export function isSameProcess({ pid, start }: { pid: number; start: string }): boolean {
  return isProcessAlive(pid) && (start === '' || startOf(pid) === '' || startOf(pid) === start);
}

/** Returns a name that identifies the process, so that a later process can clean up after a crash. */
export function ownName(prefix: string): string {
  return `${prefix}-${process.pid}-${startOf(process.pid) || '0'}`;
}

/** Whether a name was created by `ownName` in a process that no longer runs. False for any other name. */
export function isLeftOver(name: string, prefix: string): boolean {
  if (!name.startsWith(`${prefix}-`)) return false;
  const match = /^(?<pid>\d+)-(?<start>\d+)(?:-|$)/u.exec(name.slice(prefix.length + 1));
  if (!match?.groups) return false;
  const [pid, start = ''] = [Number(match.groups['pid']), match.groups['start']];
  return !isSameProcess({ pid, start: start === '0' ? '' : start });
}
