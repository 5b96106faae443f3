/** What the JavaScript engine is told about the work ahead. Its flags are its own: they come and go with its versions. */
import v8 from 'node:v8';

interface Flag {
  text: string;
  /** The major versions of V8 that are known to have it; any other would complain about it on standard error. */
  oldest?: number;
  newest: number;
}

const SHORT_RUN: readonly Flag[] = [
  { text: '--interrupt-budget=1000000', newest: 11 },
  { text: '--no-parallel-scavenge', newest: 12 },
  { text: '--no-incremental-marking', newest: 12 },
  { text: '--semi-space-growth-factor=1', newest: 12 },
  { text: '--invocation-count-for-turbofan=1000000', oldest: 12, newest: 13 },
];
const SPARE_MEMORY: readonly Flag[] = [{ text: '--optimize-for-size', newest: 12 }];

/** The flags of a kind that a version of V8 has. */
export function flagsFor(kind: 'short-run' | 'spare-memory', version: string): string[] {
  const major = Number.parseInt(version, 10);
  return (kind === 'short-run' ? SHORT_RUN : SPARE_MEMORY)
    .filter(({ oldest = 0, newest }) => major >= oldest && major <= newest)
    .map(({ text }) => text);
}

/**
 * Compile only what is really hot. A validation of hundreds of files is over in half a second, and by default a third of the
 * processor time goes into optimized code that is hardly run. Several threads that clear up a small heap wait for each other
 * more than they help, and a small heap need not grow. A server must not call this.
 */
export function expectShortRun(): void {
  for (const flag of flagsFor('short-run', process.versions.v8)) v8.setFlagsFromString(flag);
}

/**
 * Clear up more often and let the heap grow less: five thousand abandoned sessions then leave a fifth of the memory behind,
 * and a call takes a quarter longer. For a server that is flooded.
 */
export function spareMemory(): void {
  for (const flag of flagsFor('spare-memory', process.versions.v8)) v8.setFlagsFromString(flag);
}
