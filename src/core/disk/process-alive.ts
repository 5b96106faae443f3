import { nodeFiles } from './node-tree.ts';
import { systemCode } from './reasons.ts';

/** Whether a process with this id runs, of this user or another. */
export function isProcessAlive(pid: number): boolean {
  try {
    // Zero and negative numbers mean process groups.
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

const STAT_MAX_BYTES = 4096;

/** When a process started, in the system's own units. Empty if it cannot be told, as on systems other than Linux. */
export function startOf(pid: number): string {
  try {
    const bytes = Buffer.alloc(STAT_MAX_BYTES);
    const text = bytes.toString('latin1', 0, nodeFiles.readStart(`/proc/${pid}/stat`, bytes));
    // The second field is the name of the program, in parentheses, and may contain anything. The start is the 22nd.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Whether the process that was noted still runs. Another one may have its id by now, but then it has started later. */
export function isSameProcess({ pid, start }: { pid: number; start: string }): boolean {
  return isProcessAlive(pid) && (start === '' || startOf(pid) === '' || startOf(pid) === start);
}

/** A name that tells which process made it, so that the next one can clean up after a crash. */
export function ownName(prefix: string): string {
  return `${prefix}-${process.pid}-${startOf(process.pid) || '0'}`;
}

/** Whether the process that made a name of `ownName` is gone. False for any other name. */
export function isLeftOver(name: string, prefix: string): boolean {
  if (!name.startsWith(`${prefix}-`)) return false;
  const match = /^(?<pid>\d+)-(?<start>\d+)(?:-|$)/u.exec(name.slice(prefix.length + 1));
  if (!match?.groups) return false;
  const [pid, start = ''] = [Number(match.groups['pid']), match.groups['start']];
  return !isSameProcess({ pid, start: start === '0' ? '' : start });
}
