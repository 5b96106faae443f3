/** Rules that compare a delta with its spec. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { at, type TargetSubject } from './subject.ts';

export const scenarioLost = defineRule<TargetSubject>({
  code: 'delta-scenario-lost',
  severity: 'error',
  title: 'A MODIFIED requirement would lose scenarios',
  about:
    'MODIFIED replaces the whole requirement, so scenarios of the current spec that the delta lacks would be lost.',
  fix: 'Copy the missing scenarios into the MODIFIED block. To drop one on purpose, keep its heading with a note, or remove the requirement and add it again.',
  *check({ lost }) {
    for (const { block, missing } of lost)
      yield {
        message: `MODIFIED "${block.name}" lacks ${missing.map((name) => `"${name}"`).join(', ')} of the current spec`,
        ...at(block.line, `MODIFIED > ${block.name}`),
      };
  },
});

export const archiveRefused = defineRule<TargetSubject>({
  code: 'delta-archive-refused',
  severity: 'info',
  title: 'The delta cannot be applied to the current spec',
  about:
    'The change is well-formed, but archiving it today would be refused. Another change that is archived first may still make it possible.',
  fix: 'Bring the delta in line with the current spec before archiving.',
  *check({ refused, capability }) {
    if (refused && refused.reason !== 'target-missing' && refused.reason !== 'spec-gone')
      yield { message: `archiving would be refused: ${refused.message}`, ...at(refused.line, capability) };
  },
});

export const targetMissing = defineRule<TargetSubject>({
  code: 'delta-target-missing',
  severity: 'warning',
  advice: true,
  title: 'A change modifies something that does not exist',
  about:
    'MODIFIED and RENAMED name a requirement of the current spec. There is no such requirement, so archiving would be refused.',
  fix: 'Use the exact name from the current spec, or move the requirement below "## ADDED Requirements".',
  *check({ refused, capability }) {
    if (refused?.reason === 'target-missing')
      yield { message: `archiving would be refused: ${refused.message}`, ...at(refused.line, capability) };
  },
});

export const specGone = defineRule<TargetSubject>({
  code: 'delta-spec-gone',
  severity: 'warning',
  advice: true,
  title: 'A change removes requirements of a spec that no longer exists',
  about:
    'The delta only removes, and the capability has no spec. Archiving is refused, unless the change declares that it retires capabilities: then there is nothing left to do.',
  fix: 'Set retire_capabilities: true in .openspec.yaml if the capability is retired, or delete the delta.',
  *check({ refused, capability }) {
    if (refused?.reason === 'spec-gone') yield { message: refused.message, ...at(refused.line, capability) };
  },
});
