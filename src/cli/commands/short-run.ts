import v8 from 'node:v8';

/** The flag is V8's own and may go away; an unknown one would be complained about on standard error. */
const NEWEST_KNOWN_V8 = 13;

/**
 * Tells the engine to compile only what is really hot. A validation of hundreds of files is over in half a second, and by
 * default a third of the processor time goes into optimised code that is hardly run. A server must not call this.
 */
export function expectShortRun(): void {
  const [major = Number.NaN] = process.versions.v8.split('.').map(Number);
  if (major > NEWEST_KNOWN_V8) return;
  v8.setFlagsFromString('--interrupt-budget=1000000');
  // Several threads that clear up a small heap wait for each other more than they help.
  v8.setFlagsFromString('--no-parallel-scavenge');
}
