/** Compares a change with the current specs, requirement by requirement, and reports why it cannot be archived. */
import { textOf } from '../core/headings.ts';
import { unifiedDiff } from '../core/line-diff.ts';
import { nearest } from '../core/near.ts';
import { memo } from '../core/memo.ts';
import { countWords, likeness, type WordCounts } from '../core/word-marks.ts';
import { applyDelta } from './apply.ts';
import type { SpecCatalog } from './catalog.ts';
import type { ChangeFolder, DeltaFile } from './change-folder.ts';
import { metadataOf } from './change-metadata.ts';
import { type ComparedRequirement, compareRequirements, type Version } from './compare.ts';
import { COMPARED_LINES_MAX, Effort } from './effort.ts';
import { type IgnoredHeading, ignoredHeadings } from './ignored-headings.ts';
import type { Block } from './blocks.ts';
import { blockLines, type ParsedDelta } from './parse-delta.ts';
import { otherChanges, type Overlap } from './overlap.ts';
import { describeRequirement } from './parse-spec.ts';
import { specPath } from './roots.ts';
import type { SpecFile } from './spec-file.ts';
import { foldRequirement, type Operation } from './words.ts';

export interface RequirementDiff extends ComparedRequirement {
  operation: Operation;
  requirement: string;
  /** New name of a renamed requirement. */
  to?: string;
  /** Reason and migration of a removal, as given in the delta. */
  reason?: string;
  migration?: string;
  /** Set if the spec lacks the requirement. `nearest` is the likely match, which is used for the comparison. */
  missing?: true;
  nearest?: { spec_id: string; requirement: string };
  /** The first other active changes that touch the requirement, and the number of the rest. */
  overlaps: string[];
  overlaps_left_out?: number;
  /** Unified diff. Empty if nothing changes. */
  diff: string;
}

export interface CapabilityDiff {
  capability: string;
  /** ID of the current spec. Absent if there is none. */
  spec?: string;
  file: string;
  isNew: boolean;
  /** Reason why the delta cannot be applied. */
  refused?: string;
  /** Headings of the delta that archiving would ignore. */
  ignored: IgnoredHeading[];
  requirements: RequirementDiff[];
}

/** Compares all deltas of a change. Above the cost limit, words are not marked and missing requirements are not matched by text. */
export function diffChange(catalog: SpecCatalog, change: ChangeFolder): CapabilityDiff[] {
  const effort = new Effort();
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
      requirements: new DeltaDiff(catalog, change, delta, effort).requirements(),
    };
  });
}

/** An entry with its line in the delta, by which entries are sorted. */
type PlacedDiff = RequirementDiff & { line: number };

/** Compares one delta with the current spec. The order of comparisons matters, because they share one cost limit. */
class DeltaDiff {
  readonly #catalog: SpecCatalog;
  readonly #change: ChangeFolder;
  readonly #parsed: ParsedDelta;
  readonly #current: SpecFile | undefined;
  readonly #effort: Effort;
  readonly #blocks: ReadonlyMap<string, Block>;
  readonly #overlaps: ReadonlyMap<string, Overlap[]>;
  readonly #oldNames: ReadonlyMap<string, string>;

  constructor(catalog: SpecCatalog, change: ChangeFolder, { capability, parsed }: DeltaFile, effort: Effort) {
    this.#catalog = catalog;
    this.#change = change;
    this.#parsed = parsed;
    this.#current = catalog.specFor(change.root, capability);
    this.#effort = effort;
    // If two blocks have the same name, the last one counts.
    this.#blocks = new Map(this.#current?.editable.section?.blocks.map((block) => [block.name, block]));
    this.#overlaps = overlapsOf(catalog, change, capability);
    this.#oldNames = new Map(parsed.renamed.map(({ from, to }) => [to, from]));
  }

  requirements(): RequirementDiff[] {
    const { renamed, removed, blocks } = this.#parsed;
    const entries: PlacedDiff[] = [
      ...renamed.map((entry) => this.#renamed(entry)),
      ...removed.map((entry) => this.#removed(entry)),
      ...blocks.map((block) => this.#block(block)),
    ];
    return entries.sort((a, b) => a.line - b.line).map(({ line: _line, ...rest }) => rest);
  }

  #renamed({ from, to, line }: ParsedDelta['renamed'][number]): PlacedDiff {
    const current = this.#current;
    return {
      operation: 'renamed',
      requirement: from,
      to,
      ...(versionOf(current, from) || versionOf(current, to) ? {} : this.#missing(from)),
      ...this.#others(from, to),
      diff: diffOf(header(from), header(to), from, this.#effort),
      ...unchanged(this.#shown(versionOf(current, from)), this.#effort),
      line,
    };
  }

  #removed({ name, line, reason, migration }: ParsedDelta['removed'][number]): PlacedDiff {
    const current = this.#current;
    return {
      operation: 'removed',
      requirement: name,
      ...(reason === undefined ? {} : { reason }),
      ...(migration === undefined ? {} : { migration }),
      ...(versionOf(current, name) ? {} : this.#missing(name)),
      ...this.#others(name),
      diff: diffOf(this.#currentText(name), '', name, this.#effort),
      ...compareRequirements(this.#shown(versionOf(current, name)), undefined, this.#effort),
      line,
    };
  }

  #block(block: ParsedDelta['blocks'][number]): PlacedDiff {
    const parsed = this.#parsed;
    const current = this.#current;
    const old = this.#oldNames.get(block.name);
    const before = this.#currentText(block.name) || this.#currentText(old ?? '');
    const after: Version = { source: parsed, requirement: block.requirement };
    const target = versionOf(current, block.name) ?? (old === undefined ? undefined : versionOf(current, old));
    const absent =
      block.operation === 'modified' && !target
        ? this.#missing(block.name, describeRequirement(parsed, block.requirement))
        : {};
    const compared = target ?? (absent.nearest && versionIn(this.#catalog, absent.nearest));
    return {
      operation: block.operation,
      requirement: block.name,
      ...absent,
      ...this.#others(block.name, ...(old === undefined ? [] : [old])),
      diff: diffOf(before, `${blockLines(parsed.outline, block).join('\n')}\n`, block.name, this.#effort),
      ...compareRequirements(this.#shown(compared), after, this.#effort),
      line: block.line,
    };
  }

  #currentText(name: string): string {
    const current = this.#current;
    const block = this.#blocks.get(name);
    if (!current || !block) return '';
    const text = (): string => `${blockLines(current.editable.outline, block).join('\n')}\n`;
    return this.#effort.shows(block, () => text().length) ? text() : '';
  }

  #shown(version: Version | undefined): Version | undefined {
    return version && this.#effort.shows(version.requirement, () => charactersOf(version)) ? version : undefined;
  }

  #others(...names: string[]): Pick<RequirementDiff, 'overlaps' | 'overlaps_left_out'> {
    const { named, more } = otherChanges(
      this.#change.id,
      names.flatMap((name) => this.#overlaps.get(foldRequirement(name)) ?? []),
    );
    return { overlaps: named, ...(more > 0 ? { overlaps_left_out: more } : {}) };
  }

  #missing(name: string, text?: string): Pick<RequirementDiff, 'missing' | 'nearest'> {
    const near = this.#nearestInSpec(name, text) ?? requirementsInAll(this.#catalog).get(foldRequirement(name));
    return { missing: true, ...(near ? { nearest: near } : {}) };
  }

  /** Finds the likely match for a missing requirement in the current spec: by its text, or by its name. */
  #nearestInSpec(name: string, text: string | undefined): RequirementDiff['nearest'] {
    const spec = this.#current;
    if (!spec) return undefined;
    const names = spec.parsed.requirements.map((requirement) => requirement.name);
    const byName = (): string | undefined =>
      this.#effort.affords(STEPS_PER_NAME * names.length) ? nearest(name, names, 1)[0] : undefined;
    const near = (text === undefined ? undefined : likestTo(spec, text, this.#effort)) ?? byName();
    return near === undefined ? undefined : { spec_id: spec.id, requirement: near };
  }
}

/** A rename does not change the text, so both sides show the current text. */
function unchanged(version: Version | undefined, effort: Effort): ComparedRequirement {
  return { ...compareRequirements(version, version, effort), summary: 'only the name changes' };
}

/** Finds a requirement in the parsed spec. If two have the same name, the last one counts, as in archiving. */
export function versionOf(spec: SpecFile | undefined, name: string): Version | undefined {
  const requirement = spec && requirementsByName(spec.parsed).get(name);
  return requirement && { source: spec.parsed, requirement };
}

function charactersOf({ source, requirement: { from, to, scenarios } }: Version): number {
  return textOf(source.outline, from, scenarios.at(-1)?.to ?? to).length;
}

const requirementsByName = memo(
  ({ requirements }: SpecFile['parsed']) => new Map(requirements.map((requirement) => [requirement.name, requirement])),
);

function versionIn(catalog: SpecCatalog, place: { spec_id: string; requirement: string }): Version | undefined {
  const found = catalog.findSpec(place.spec_id);
  return found.kind === 'found' ? versionOf(found.item, place.requirement) : undefined;
}

/** Returns the overlaps of a change in a capability, by requirement. */
function overlapsOf(catalog: SpecCatalog, change: ChangeFolder, capability: string): Map<string, Overlap[]> {
  const found = new Map<string, Overlap[]>();
  for (const { overlap } of catalog.overlapsOf(change)) {
    if (overlap.capability !== capability) continue;
    const name = foldRequirement(overlap.requirement);
    found.set(name, [...(found.get(name) ?? []), overlap]);
  }
  return found;
}

/** Minimum similarity of two texts that are probably versions of one requirement. */
const LIKELY_SAME = 0.5;

/** Costs in steps: comparing two names, splitting a text into words, and comparing two texts. */
const STEPS_PER_NAME = 20;
const STEPS_PER_CHARACTER = 8;
const STEPS_PER_WORD = 4;
const STEPS_TO_BEGIN = 10;

/** Finds the requirement with the most similar text, if it is similar enough. */
function likestTo({ parsed }: SpecFile, text: string, effort: Effort): string | undefined {
  if (!effort.affords(STEPS_PER_CHARACTER * text.length)) return undefined;
  const wanted = countWords(text);
  let best: { name: string; share: number } | undefined;
  for (const { name, words } of wordsInSpec(parsed) ?? []) {
    const steps = STEPS_TO_BEGIN + STEPS_PER_WORD * Math.min(wanted.counts.size, words.counts.size);
    if (!effort.affords(steps)) return undefined;
    const share = likeness(wanted, words);
    if (share >= LIKELY_SAME && share > (best?.share ?? 0)) best = { name, share };
  }
  return best?.name;
}

/** Maximum length of specs that are searched for similar texts. */
const LOOKED_THROUGH_CHARACTERS = 512 * 1024;

/** Word counts of each requirement, cached per spec. Undefined if the spec is too long. */
const wordsInSpec = memo((parsed: SpecFile['parsed']): { name: string; words: WordCounts }[] | undefined => {
  const texts = parsed.requirements.map((requirement) => describeRequirement(parsed, requirement));
  if (texts.reduce((sum, text) => sum + text.length, 0) > LOOKED_THROUGH_CHARACTERS) return undefined;
  return texts.map((text, index) => ({ name: parsed.requirements[index]?.name ?? '', words: countWords(text) }));
});

/** The first requirement of each name across all specs. */
const requirementsInAll = memo((catalog: SpecCatalog) => {
  const found = new Map<string, { spec_id: string; requirement: string }>();
  for (const { id, parsed } of catalog.specs) {
    for (const { name } of parsed.requirements) {
      const folded = foldRequirement(name);
      if (!found.has(folded)) found.set(folded, { spec_id: id, requirement: name });
    }
  }
  return found;
});

function header(name: string): string {
  return `### Requirement: ${name}\n`;
}

/** Maximum number of differing lines. Above it, a diff is a single block. */
const DIFFERING_LINES_MAX = 2_000;

function diffOf(before: string, after: string, name: string, effort: Effort): string {
  const names = { from: before === '' ? '/dev/null' : name, to: after === '' ? '/dev/null' : name };
  if (before === after) return '';
  const [old, fresh] = [linesIn(before), linesIn(after)];
  const size = old.length + fresh.length;
  const isWhole = old.length === 0 || fresh.length === 0 || size > COMPARED_LINES_MAX || !effort.affords(size);
  if (isWhole) return wholeDiff(old, fresh, names);
  const diff = unifiedDiff(before, after, names);
  // The cost is the number of differing lines times the number of all lines.
  let edits = 0;
  for (const line of linesIn(diff)) if (/^[-+]/u.test(line)) edits += 1;
  effort.spend(Math.min(edits, DIFFERING_LINES_MAX) * size);
  return diff;
}

/** Formats a diff as one block: all removed lines, then all added lines. */
function wholeDiff(
  old: readonly string[],
  fresh: readonly string[],
  { from, to }: { from: string; to: string },
): string {
  const range = ({ length }: readonly string[]): string => `${length === 0 ? 0 : 1},${length}`;
  const lines = [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)];
  return [`--- ${from}`, `+++ ${to}`, `@@ -${range(old)} +${range(fresh)} @@`, ...lines].join('\n') + '\n';
}

/** Splits text that ends with a line feed. */
function linesIn(text: string): string[] {
  return text === '' ? [] : text.slice(0, -1).split('\n');
}
