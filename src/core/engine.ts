/** What the JavaScript engine is told about the work ahead. Its flags are its own and may go away. */
import v8 from 'node:v8';

/** An unknown flag would be complained about on standard error. */
const NEWEST_KNOWN_V8 = 13;

function tell(...flags: readonly string[]): void {
  const [major = Number.NaN] = process.versions.v8.split('.').map(Number);
  if (major <= NEWEST_KNOWN_V8) for (const flag of flags) v8.setFlagsFromString(flag);
}

/**
 * Compile only what is really hot. A validation of hundreds of files is over in half a second, and by default a third of the
 * processor time goes into optimised code that is hardly run. Several threads that clear up a small heap wait for each other
 * more than they help. A server must not call this.
 */
export function expectShortRun(): void {
  tell('--interrupt-budget=1000000', '--no-parallel-scavenge');
}

/**
 * Clear up more often and let the heap grow less: five thousand abandoned sessions then leave a fifth of the memory behind,
 * and a call takes a quarter longer. For a server that is flooded.
 */
export function spareMemory(): void {
  tell('--optimize-for-size');
}
