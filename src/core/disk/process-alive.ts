import { systemCode } from './reasons.ts';

/** Whether a process of that number runs, ours or another user's. */
export function isProcessAlive(pid: number): boolean {
  try {
    // Zero and negative numbers mean groups of processes.
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
