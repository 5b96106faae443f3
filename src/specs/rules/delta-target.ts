import { applyDelta } from '../apply.ts';
import type { DeltaSubject } from '../validate-change.ts';
import { defineAdvice, defineVerdict, type ItemCode, type ItemFinding } from './finding.ts';
import { lostScenarios } from '../lost-scenarios.ts';

const scenarioLost = defineVerdict({
  code: 'delta-scenario-lost',
  severity: 'error',
  title: 'A MODIFIED requirement would lose scenarios',
  about:
    'MODIFIED replaces the whole requirement, so a scenario that the current spec has and the delta has not would be gone.',
  fix: 'Copy the missing scenarios into the MODIFIED block. To drop one on purpose, keep its heading and say so, or remove the requirement and add it anew.',
});

const archiveRefused = defineVerdict({
  code: 'delta-archive-refused',
  severity: 'info',
  title: 'The delta cannot be applied to the spec as it is now',
  about:
    'The change is well-formed, but archiving it today would be refused. Another change that comes first may still make it possible.',
  fix: 'Bring the delta in line with the current spec before archiving.',
});

const targetMissing = defineAdvice({
  code: 'delta-target-missing',
  severity: 'warning',
  title: 'A change modifies something that does not exist',
  about:
    'MODIFIED and RENAMED name a requirement of the current spec. There is none of that name, so archiving would be refused.',
  fix: 'Use the exact name from the current spec, or move the requirement below "## ADDED Requirements".',
});

export const DELTA_TARGET_CODES: readonly ItemCode[] = [scenarioLost, archiveRefused, targetMissing];

/** Holds a delta against the spec it is about. `isSound` is false when the delta has errors of its own already. */
export function* checkDeltaTarget(subject: DeltaSubject, isSound: boolean): Iterable<ItemFinding> {
  const { parsed, current } = subject;
  const lost = current ? lostScenarios(parsed, current.parsed.outline) : [];
  for (const { block, missing } of lost) {
    const place = subject.at(block.line, `MODIFIED > ${block.name}`);
    yield scenarioLost.at(
      place,
      `MODIFIED "${block.name}" lacks ${missing.map((name) => `"${name}"`).join(', ')} of the current spec`,
    );
  }
  if (!isSound || lost.length > 0) return;
  const outcome = applyDelta(parsed, current?.asCurrent, { capability: subject.capability, change: subject.change });
  if (outcome.kind === 'applied') return;
  const code = outcome.reason === 'target-missing' ? targetMissing : archiveRefused;
  yield code.at(subject.at(outcome.line, subject.capability), `archiving would be refused: ${outcome.message}`);
}
