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
