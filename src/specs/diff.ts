/** Compares a change with the current specs, requirement by requirement, and tells why it could not be archived. */
import { unifiedDiff } from '../core/line-diff.ts';
import { nearest } from '../core/near.ts';
import { likeness } from '../core/word-marks.ts';
import { applyDelta } from './apply.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder, DeltaFile } from './change-folder.ts';
import { metadataOf } from './change-metadata.ts';
import { type ComparedRequirement, compareRequirements, type Version } from './compare.ts';
import { type IgnoredHeading, ignoredHeadings } from './ignored-headings.ts';
import { blockLines } from './parse-delta.ts';
import { describeRequirement } from './parse-spec.ts';
import { specPath } from './roots.ts';
import type { SpecFile } from './spec-file.ts';
import { foldRequirement, type Operation } from './words.ts';

export interface RequirementDiff extends ComparedRequirement {
  operation: Operation;
  requirement: string;
  /** The new name of a rename. */
  to?: string;
  /** Of a removal, as the delta gives them. */
  reason?: string;
  migration?: string;
  /** Set if the entry needs a requirement that the spec does not have: the one it may mean, which it is then compared with. */
  missing?: true;
  nearest?: { spec_id: string; requirement: string };
  /** Other active changes that touch the requirement. */
  overlaps: string[];
  /** A unified diff; empty if nothing would change. */
  diff: string;
}

export interface CapabilityDiff {
  capability: string;
  /** The id of the current spec; missing if there is none. */
  spec?: string;
  file: string;
  isNew: boolean;
  /** Why the delta cannot be applied as it is. */
  refused?: string;
  /** What the delta has and archiving would ignore. */
  ignored: IgnoredHeading[];
  requirements: RequirementDiff[];
}

export function diffChange(catalog: SpecCatalog, change: ChangeFolder): CapabilityDiff[] {
  return change.deltas.map((delta) => {
    const { capability, parsed } = delta;
    const current = catalog.specFor(change.root, capability);
    const outcome = applyDelta(parsed, current?.editable, { capability, change: change.name });
    const isRefused =
      outcome.kind === 'refused' &&
      (outcome.reason !== 'spec-gone' || !metadataOf(catalog.files, change).retireCapabilities);
    return {
      capability,
      ...(current ? { spec: current.id } : {}),
      file: current?.file.path ?? specPath(change.root, capability),
      isNew: current === undefined,
      ...(isRefused ? { refused: outcome.message } : {}),
      ignored: ignoredHeadings(parsed),
      requirements: diffDelta(catalog, change, delta, current),
    };
  });
}

function diffDelta(
  catalog: SpecCatalog,
  change: ChangeFolder,
  { capability, parsed }: DeltaFile,
  current: SpecFile | undefined,
): RequirementDiff[] {
  const currentText = (name: string): string => {
    const block = current?.editable.section?.blocks.findLast((each) => each.name === name);
    return current && block ? `${blockLines(current.editable.outline, block).join('\n')}\n` : '';
  };
  const others = (...names: string[]): string[] =>
    change.isArchived ? [] : overlapsOf(catalog, change, capability, names);
  const missing = (name: string, text?: string): Pick<RequirementDiff, 'missing' | 'nearest'> => {
    const near = nearestTo(catalog, current, name, text);
    return { missing: true, ...(near ? { nearest: near } : {}) };
  };
  const oldNames = new Map(parsed.renamed.map(({ from, to }) => [to, from]));
  const entries: (RequirementDiff & { line: number })[] = [
    ...parsed.renamed.map(({ from, to, line }) => ({
      operation: 'renamed' as const,
      requirement: from,
      to,
      ...(versionOf(current, from) || versionOf(current, to) ? {} : missing(from)),
      overlaps: others(from, to),
      diff: diffOf(header(from), header(to), from),
      ...unchanged(versionOf(current, from)),
      line,
    })),
    ...parsed.removed.map(({ name, line, reason, migration }) => ({
      operation: 'removed' as const,
      requirement: name,
      ...(reason === undefined ? {} : { reason }),
      ...(migration === undefined ? {} : { migration }),
      ...(versionOf(current, name) ? {} : missing(name)),
      overlaps: others(name),
      diff: diffOf(currentText(name), '', name),
      ...compareRequirements(versionOf(current, name), undefined),
      line,
    })),
    ...parsed.blocks.map((block) => {
      const old = oldNames.get(block.name);
      const before = currentText(block.name) || currentText(old ?? '');
      const after: Version = { source: parsed, requirement: block.requirement };
      const target = versionOf(current, block.name) ?? (old === undefined ? undefined : versionOf(current, old));
      const absent =
        block.operation === 'modified' && !target
          ? missing(block.name, describeRequirement(parsed, block.requirement))
          : {};
      const compared = target ?? (absent.nearest && versionIn(catalog, absent.nearest));
      return {
        operation: block.operation,
        requirement: block.name,
        ...absent,
        overlaps: others(block.name, ...(old === undefined ? [] : [old])),
        diff: diffOf(before, `${blockLines(parsed.outline, block).join('\n')}\n`, block.name),
        ...compareRequirements(compared, after),
        line: block.line,
      };
    }),
  ];
  return entries.sort((a, b) => a.line - b.line).map(({ line: _line, ...rest }) => rest);
}

/** A rename changes no text; the spec's own stands for both sides. */
function unchanged(version: Version | undefined): ComparedRequirement {
  return { ...compareRequirements(version, version), summary: 'only the name changes' };
}

/** The requirement as a reader of the spec sees it. Of two with the same name, archiving takes the last. */
export function versionOf(spec: SpecFile | undefined, name: string): Version | undefined {
  const requirement = spec?.parsed.requirements.findLast((each) => each.name === name);
  return spec && requirement ? { source: spec.parsed, requirement } : undefined;
}

function versionIn(catalog: SpecCatalog, place: { spec_id: string; requirement: string }): Version | undefined {
  const found = catalog.findSpec(place.spec_id);
  return found.kind === 'found' ? versionOf(found.item, place.requirement) : undefined;
}

function overlapsOf(catalog: SpecCatalog, change: ChangeFolder, capability: string, names: string[]): string[] {
  const folded = new Set(names.map(foldRequirement));
  const ids = catalog.overlaps
    .filter((overlap) => overlap.capability === capability && folded.has(foldRequirement(overlap.requirement)))
    .filter(({ claims }) => claims.some((claim) => claim.change === change.id))
    .flatMap(({ claims }) => claims.map((claim) => claim.change));
  return [...new Set(ids)].filter((id) => id !== change.id);
}

/** Two texts with more in common are most likely two versions of one requirement. */
const LIKELY_SAME = 0.5;

/** What an entry may mean that names what is not there: by its text, by its name, or by its name in another spec. */
function nearestTo(
  catalog: SpecCatalog,
  spec: SpecFile | undefined,
  name: string,
  text: string | undefined,
): RequirementDiff['nearest'] {
  if (spec) {
    const { requirements } = spec.parsed;
    const [byText] = requirements
      .map((requirement) => ({
        requirement: requirement.name,
        share: text === undefined ? 0 : likeness(text, describeRequirement(spec.parsed, requirement)),
      }))
      .filter(({ share }) => share >= LIKELY_SAME)
      .sort((a, b) => b.share - a.share);
    const names = requirements.map((requirement) => requirement.name);
    const near = byText?.requirement ?? nearest(name, names, 1)[0];
    if (near !== undefined) return { spec_id: spec.id, requirement: near };
  }
  const folded = foldRequirement(name);
  for (const other of catalog.specs) {
    const found = other.parsed.requirements.find((requirement) => foldRequirement(requirement.name) === folded);
    if (found) return { spec_id: other.id, requirement: found.name };
  }
  return undefined;
}

function header(name: string): string {
  return `### Requirement: ${name}\n`;
}

function diffOf(before: string, after: string, name: string): string {
  return unifiedDiff(before, after, {
    from: before === '' ? '/dev/null' : name,
    to: after === '' ? '/dev/null' : name,
  });
}
