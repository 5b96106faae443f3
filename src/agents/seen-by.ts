/** Computes how one agent treats all skills of the survey: a pure function of its profile, the survey and its settings. */
import path from 'node:path';
import { compareText, foldName } from '../core/text.ts';
import { wildcard } from '../core/wildcard.ts';
import type { FoundFile } from '../skills/walk.ts';
import { counts } from '../skills/walk-rules.ts';
import { type Cut, dealtOut, type Line, lineCharacters, tableTokens, wholeOrName } from './budget.ts';
import { whyNotCounted } from './not-counted.ts';
import type { Fact, Profile, Topic } from './profile.ts';
import { type Read, readAs } from './read-as.ts';
import type { AgentSettings, Switch } from './settings.ts';
import { isListed, type Status } from './status.ts';
import type { AgentPlace, Copy, Survey } from './survey.ts';

export interface Verdict {
  copy: Copy;
  /** Path under which the agent finds the copy. */
  file: string;
  status: Status;
  reason: string;
  /** Copy that the agent uses instead. Null if that is undetermined. */
  winner?: Copy | null;
  fix?: string;
  source: Fact;
}

/** A line of the list that the agent shows its model. */
export interface Entry {
  /** Position in the agent's order, starting at 1. */
  position: number;
  /** Name in the list. */
  name: string;
  /** Undefined for a built-in skill. */
  verdict: Verdict | undefined;
  status: Status;
  /** Size of the line, including its line break. */
  characters: number;
  /** Description that the model sees: full, shortened or empty. */
  text: string;
  /** True if the line was not cut to fit the list. */
  isWhole: boolean;
  /** Full description. */
  description: string;
}

export interface SeenBudget {
  limit: number | null;
  unit: 'characters' | 'tokens';
  used: number;
  /** Size of the whole list without a limit. */
  wanted: number;
  builtIn: number;
  window: number | null;
}

export interface Seen {
  profile: Profile;
  entries: Entry[];
  verdicts: ReadonlyMap<Copy, Verdict>;
  budget: SeenBudget;
}

interface Candidate {
  copy: Copy;
  at: AgentPlace;
  /** Index of its folder among the places. */
  folder: number;
  found: FoundFile;
  read: Extract<Read, { kind: 'listed' }>;
  /** Name in the list. */
  name: string;
  /** Copies with the same key compete. */
  key: string;
  /** Folder that determines its position in the list. */
  sortedAs?: string;
}

interface Listed {
  candidate: Candidate | undefined;
  line: Line;
  /** Setting that limits the line to its name. */
  nameOnly: Switch | undefined;
}

/** `window` is the context window of the model in tokens. Defaults to the settings, or to the default model. */
export function seenBy(profile: Profile, survey: Survey, settings: AgentSettings, window?: number): Seen {
  const verdicts = new Map<Copy, Verdict>();
  const judge = (
    copy: Copy,
    status: Status,
    topic: Topic,
    reason: string,
    more: { file?: string; fix?: string; winner?: Copy | null } = {},
  ): void => {
    verdicts.set(copy, { copy, file: copy.file, status, reason, source: profile.facts[topic], ...more });
  };
  const candidates = findCandidates(profile, survey, settings, judge);
  const winners = withOwnNames(profile, chooseCopies(profile, candidates, judge));
  const switchFor = switchesOf(settings.switches);
  const listed = winners.flatMap((candidate) => listedAs(profile, candidate, settings, switchFor, judge));
  const lines = withBuiltIn(profile, survey, settings, inOrder(profile, listed));
  const size = budgetOf(profile, settings, window);
  const { cut, table } = cutList(profile, survey, lines, size.limit);
  const entries = lines.flatMap(({ candidate, line, nameOnly }, index) => {
    const text = cut.texts[index];
    if (candidate) {
      // An undetermined copy matters more than the length of its line.
      if (!verdicts.has(candidate.copy)) judgeLine(candidate, line, nameOnly, text, judge);
      if (text === undefined) return [];
    }
    const verdict = candidate && verdicts.get(candidate.copy);
    const shown = candidate ? (text ?? '') : '';
    return {
      name: line.name,
      verdict: candidate?.copy.builtIn ? undefined : verdict,
      status: verdict?.status ?? statusOf(line.description, text ?? ''),
      characters: lineCharacters(line, text ?? ''),
      text: shown,
      isWhole: statusOf(line.description, text ?? '') === 'seen' && nameOnly === undefined,
      description: candidate?.read.description ?? '',
    };
  });
  judgeOthers(profile, survey, verdicts, judge);
  const own = lines.map(({ candidate }) => candidate === undefined || candidate.copy.builtIn);
  return {
    profile,
    entries: entries.map((entry, index) => ({ position: index + 1, ...entry })),
    verdicts,
    budget: {
      limit: size.limit,
      unit: profile.budget.unit,
      used: cut.used + table,
      wanted: cut.wanted + table,
      builtIn: cut.costs.reduce((sum, cost, index) => sum + (own[index] ? cost : 0), 0),
      window: size.window,
    },
  };
}

type Judge = (
  copy: Copy,
  status: Status,
  topic: Topic,
  reason: string,
  more?: { file?: string; fix?: string; winner?: Copy | null },
) => void;

/** Returns every copy in the agent's folders that it could list. */
function findCandidates(profile: Profile, survey: Survey, settings: AgentSettings, judge: Judge): Candidate[] {
  const taken = new Map<Copy, Candidate>();
  const { places = [] } = survey.agents.get(profile.id) ?? {};
  for (const [folder, at] of places.entries()) {
    for (const found of inFolderOrder(at.place.found ?? [])) {
      const copy = survey.byFile.get(found.realFile);
      if (!copy || taken.has(copy)) continue;
      const { file } = found;
      if (found.disabled) {
        const fix = `lectern enable ${asWord(found.dir)}`;
        judge(copy, 'disabled', 'files', 'its file is named .SKILL.md, which no agent reads', { file, fix });
        continue;
      }
      const isCounted = at.place.plugin?.single ? found.level === 0 : counts(found, profile.walk);
      if (!isCounted) {
        const status = profile.walk.known === false ? 'unknown' : 'not-read';
        judge(copy, status, 'places', whyNotCounted(profile.name, profile.walk, found), {
          file,
          fix: `Move the folder directly into ${at.place.dir}`,
        });
        continue;
      }
      if (at.place.plugin?.hidden) {
        const { status, reason, fix } = at.place.plugin.hidden;
        judge(copy, status, 'settings', reason, { file, fix });
        continue;
      }
      if (at.inProject && settings.distrust) {
        judge(copy, 'disabled', 'settings', settings.distrust.reason, { file, fix: settings.distrust.fix });
        continue;
      }
      const read = readAs(profile.reading, copy.facts, file, settings.ownMax ?? settings.entryMax);
      if (read.kind === 'listed') taken.set(copy, { copy, at, folder, found, read, ...namesOf(profile, at, read) });
      else judge(copy, read.kind, 'files', read.reason, { file, fix: read.fix });
    }
  }
  return [...taken.values()];
}

function inFolderOrder(found: readonly FoundFile[]): FoundFile[] {
  return [...found].sort((a, b) => compareText(a.dir, b.dir));
}

/** Claude Code lists the name of the folder, prefixed with the plugin. */
function namesOf(profile: Profile, { place }: AgentPlace, read: Candidate['read']): Pick<Candidate, 'name' | 'key'> {
  if (profile.reading.name !== 'folder') return { name: read.name, key: read.name };
  const plugin = place.plugin === undefined ? '' : `${place.plugin.plugin}:`;
  const name = plugin + (place.plugin?.single ? (read.ownName ?? read.name) : read.name);
  return { name, key: name };
}

/** Claude Code adds a different name in parentheses, unless that is the name of another skill. */
function withOwnNames(profile: Profile, candidates: readonly Candidate[]): Candidate[] {
  if (profile.reading.name !== 'folder') return [...candidates];
  const taken = new Set([...candidates.map(({ key }) => key), ...profile.builtIn.map(({ name }) => name)]);
  return candidates.map((candidate) => {
    const { at, key, read } = candidate;
    const plugin = at.place.plugin === undefined ? '' : `${at.place.plugin.plugin}:`;
    if (read.ownName === undefined || at.place.plugin?.single) return candidate;
    const own = plugin + read.ownName;
    if (taken.has(own) || own.length > 256 || !/^[\p{L}\p{M}\p{N}_:.-]+$/u.test(own)) return candidate;
    taken.add(own);
    return { ...candidate, name: `${key} (${own})` };
  });
}

/** Maximum number of copies to name. Each copy names the others, so naming all would take quadratic space. */
const COPIES_NAMED = 20;

/** Selects the listed copies among those with the same name. */
function chooseCopies(profile: Profile, candidates: readonly Candidate[], judge: Judge): Candidate[] {
  if (profile.copies === 'all') return [...candidates];
  const byKey = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const same = byKey.get(candidate.key);
    if (same) same.push(candidate);
    else byKey.set(candidate.key, [candidate]);
  }
  return [...byKey.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    if (profile.copies !== 'best-rank') {
      const reason =
        profile.copies === 'undetermined'
          ? `there are ${same.length} copies with this name, and ${profile.name} takes a different one from run to run`
          : `there are ${same.length} copies with this name, and which one ${profile.name} takes is not documented`;
      const shown = same.slice(0, COPIES_NAMED + 1).map(({ found }) => found.dir);
      for (const { copy, found } of same) {
        const others = shown.filter((dir) => dir !== found.dir).slice(0, COPIES_NAMED);
        const left = same.length - 1 - others.length;
        const more = left === 0 ? '' : `, and ${left} more`;
        judge(copy, 'unknown', 'copies', reason, {
          file: found.file,
          winner: null,
          fix: `Keep one copy: lectern disable ${others.map(asWord).join(' ')}${more}`,
        });
      }
      // One of the copies is listed, but it is undetermined which.
      return [first];
    }
    const winner = [...same].sort((a, b) => a.at.rank - b.at.rank || a.folder - b.folder)[0] ?? first;
    for (const { copy, found } of same)
      if (copy !== winner.copy)
        judge(copy, 'other-copy', 'copies', `${profile.name} takes the copy in ${winner.at.place.dir}`, {
          file: found.file,
          winner: winner.copy,
          fix: `lectern disable ${asWord(winner.found.dir)}`,
        });
    if (profile.order !== 'folder-backwards') return [winner];
    // The winner is listed at the position of the first copy that was found.
    const inFirst = same.filter(({ folder }) => folder === first.folder);
    return [{ ...winner, folder: first.folder, sortedAs: (inFirst.at(-1) ?? first).found.dir }];
  });
}

/** Quotes a path for a command line if necessary. */
function asWord(place: string): string {
  return /^[\w/.:@~+-]+$/u.test(place) ? place : `'${place}'`;
}

/** Returns the line of a skill, unless its frontmatter or a setting hides it. */
function listedAs(
  profile: Profile,
  candidate: Candidate,
  settings: AgentSettings,
  switchFor: (candidate: Candidate) => Switch | undefined,
  judge: Judge,
): Listed[] {
  const { copy, found, read, name, at } = candidate;
  const { file } = found;
  const keys = copy.facts.data;
  const hide = (status: Status, reason: string, fix: string): Listed[] => {
    judge(copy, status, 'settings', reason, { file, fix });
    return [];
  };
  if (isTrue(keys['disable-model-invocation']) && profile.manual !== 'ignored') {
    return profile.manual === 'honored'
      ? hide(
          'manual-only',
          'it has disable-model-invocation: only a person can start it',
          `Delete disable-model-invocation in ${file}`,
        )
      : hide(
          'unknown',
          `it has disable-model-invocation, and whether ${profile.name} honors that is not documented`,
          `Delete disable-model-invocation in ${file}`,
        );
  }
  if (profile.paths !== 'ignored' && hasPaths(keys['paths'])) {
    return profile.paths === 'honored'
      ? hide('manual-only', 'it has paths: it is listed once a matching file is touched', `Delete paths in ${file}`)
      : hide(
          'unknown',
          `it has paths, and whether ${profile.name} honors that is not documented`,
          `Delete paths in ${file}`,
        );
  }
  if (at.place.plugin && !read.isDescribed)
    return hide(
      'manual-only',
      `${profile.name} lists the skills of plugins only if they have a description`,
      `Add a description: ${file}`,
    );
  if (profile.id === 'codex' && !copy.implicitForCodex)
    return hide(
      'manual-only',
      'agents/openai.yaml has allow_implicit_invocation: false',
      `Delete it in ${path.join(found.dir, 'agents/openai.yaml')}`,
    );
  // Claude Code does not apply overrides to plugin skills.
  if (settings.undecided) return hide('unknown', settings.undecided.reason, settings.undecided.fix);
  const turned = at.place.plugin ? undefined : switchFor(candidate);
  if (turned?.state === 'off')
    return hide('disabled', `${turned.key} switches it off`, `Edit ${turned.key} in ${turned.file}`);
  if (turned?.state === 'manual')
    return hide('manual-only', `${turned.key} leaves it to people`, `Edit ${turned.key} in ${turned.file}`);
  const nameOnly = turned?.state === 'name-only' ? turned : undefined;
  const description = nameOnly ? '' : read.description;
  const weight = settings.usage.get(candidate.key) ?? 0;
  return [{ candidate, nameOnly, line: { name: nameOnly ? candidate.key : name, description, fixed: false, weight } }];
}

/** Accepts YAML 1.1 spellings too. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|on|1)$/iu.test(value.trim()));
}

/** A match-all pattern counts as no pattern. */
function hasPaths(value: unknown): boolean {
  const patterns = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  const wanted = patterns
    .map((each) =>
      String(each)
        .trim()
        .replace(/\/\*\*$/u, ''),
    )
    .filter((each) => each !== '');
  return wanted.some((each) => each !== '**');
}

/**
 * Returns the last switch that matches a skill. Names and files are looked up: settings can have many switches, and a project can
 * have many skills.
 */
function switchesOf(switches: readonly Switch[]): (candidate: Candidate) => Switch | undefined {
  const byName = new Map<string, number>();
  const byFile = new Map<string, number>();
  const patterns: { at: number; matches: (name: string) => boolean }[] = [];
  for (const [at, { match }] of switches.entries()) {
    if ('name' in match) byName.set(match.name, at);
    else if ('file' in match) byFile.set(match.file, at);
    else patterns.push({ at, matches: wildcard(match.pattern) });
  }
  return ({ key, found, read }) => {
    const exact = [byName.get(key), byName.get(read.name), byFile.get(found.file), byFile.get(found.realFile)];
    const pattern = patterns.findLast(({ matches }) => matches(read.name));
    return switches[Math.max(...exact.map((at) => at ?? -1), pattern?.at ?? -1)];
  };
}

function inOrder({ order }: Profile, listed: readonly Listed[]): Listed[] {
  const partOf = ({ candidate }: Listed): number => candidate?.at.part ?? 0;
  const folderOf = ({ candidate }: Listed): number => candidate?.folder ?? 0;
  const dirOf = ({ candidate }: Listed): string => candidate?.sortedAs ?? candidate?.found.dir ?? '';
  const levelOf = ({ candidate }: Listed): number => Math.min(1, candidate?.found.level ?? 1);
  // Sorts by UTF-8 bytes, which have the order of code points. UTF-16 units have the same order unless there are surrogate pairs.
  const hasPairs = listed.some((each) => /[\ud800-\udfff]/.test(each.line.name + dirOf(each)));
  const byBytes = hasPairs
    ? (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
    : compareText;
  const byLocale = order === 'name-everywhere' ? new Intl.Collator().compare : compareText;
  return [...listed].sort((a, b) => {
    switch (order) {
      case 'name':
        return partOf(a) - partOf(b) || byBytes(a.line.name, b.line.name) || byBytes(dirOf(a), dirOf(b));
      case 'name-everywhere':
        return byLocale(a.line.name, b.line.name);
      case 'folder-backwards':
        return folderOf(a) - folderOf(b) || levelOf(a) - levelOf(b) || compareText(dirOf(b), dirOf(a));
      case 'folder':
      case 'unknown':
        return folderOf(a) - folderOf(b) || compareText(dirOf(a), dirOf(b));
    }
  });
}

/** Adds the built-in skills of the agent. If a skill was found on disk, its full description is known. */
function withBuiltIn(profile: Profile, survey: Survey, settings: AgentSettings, listed: Listed[]): Listed[] {
  const own = new Set(listed.map(({ candidate }) => candidate?.key));
  const isOnDisk = survey.agents.get(profile.id)?.places.some(({ place }) => place.builtIn && place.found?.length);
  if (isOnDisk) return listed;
  const lines = profile.builtIn
    .filter(({ name, stays }) => (profile.copies === 'all' || !own.has(name)) && (stays || !settings.withoutBuiltIn))
    .map(({ name, characters = 0, fixed }): Listed => ({
      candidate: undefined,
      nameOnly: undefined,
      // Only the length of its description is known.
      line: { name, description: '.'.repeat(Math.min(characters, settings.entryMax ?? characters)), fixed, weight: -1 },
    }));
  if (profile.order === 'name-everywhere') return inOrder(profile, [...listed, ...lines]);
  // Claude Code lists its own skills last, the others first.
  return profile.order === 'folder' ? [...listed, ...lines] : [...lines, ...listed];
}

const LARGE_WINDOW = 1_000_000;

function budgetOf(
  { budget }: Profile,
  settings: AgentSettings,
  window: number | undefined,
): { limit: number | null; window: number | null } {
  if (budget.kind === 'none' || budget.kind === 'unknown') return { limit: null, window: null };
  const size = window ?? settings.window ?? budget.window ?? 0;
  const fraction = settings.fraction ?? budget.fraction ?? 0;
  // Observed for 200,000 and 1,000,000 tokens.
  const perToken = budget.unit === 'tokens' ? 1 : size >= LARGE_WINDOW ? 3 : 4;
  // A fraction such as 0.07 is inexact, and rounding must not cost a character.
  return { limit: settings.limit ?? Math.floor(size * perToken * fraction + 1e-6), window: size };
}

function cutList(
  profile: Profile,
  survey: Survey,
  listed: readonly Listed[],
  limit: number | null,
): { cut: Cut; table: number } {
  const lines = listed.map(({ line }) => line);
  if (profile.budget.kind === 'whole-or-name' && limit !== null) return { cut: wholeOrName(lines, limit), table: 0 };
  if (profile.budget.kind === 'dealt-out' && limit !== null) {
    const { places = [] } = survey.agents.get(profile.id) ?? {};
    const system = places.find(({ place }) => place.builtIn)?.place.dir;
    const rootOf = ({ candidate }: Listed): string => candidate?.at.place.dir ?? system ?? '';
    const used = new Set(listed.map(rootOf));
    const roots = places.map(({ place }) => place.dir).filter((dir) => used.has(dir));
    const short = listed.map((each): Line => {
      const root = rootOf(each);
      const file = each.candidate?.found.file ?? path.join(root, each.line.name, 'SKILL.md');
      const below = path.relative(root, file).split(path.sep).join('/');
      return { ...each.line, path: `r${roots.indexOf(root)}/${below}` };
    });
    const table = tableTokens(roots);
    return { cut: dealtOut(short, Math.max(0, limit - table)), table };
  }
  const costs = lines.map((line) => lineCharacters(line, line.description));
  const sum = costs.reduce((a, b) => a + b, 0);
  return {
    cut: { texts: lines.map(({ description }) => description), costs, used: sum, wanted: sum },
    table: 0,
  };
}

function statusOf(whole: string, text: string): Status {
  if (text === whole) return 'seen';
  return text === '' ? 'name-only' : 'shortened';
}

function judgeLine(
  { copy, found, read }: Candidate,
  line: Line,
  nameOnly: Switch | undefined,
  text: string | undefined,
  judge: Judge,
): void {
  const { file } = found;
  if (text === undefined)
    return judge(copy, 'not-read', 'budget', 'the list is full, and it was dropped', { file, fix: SHORTEN });
  if (nameOnly)
    return judge(copy, 'name-only', 'settings', `${nameOnly.key} leaves only its name`, {
      file,
      fix: `Edit ${nameOnly.key} in ${nameOnly.file}`,
    });
  const status = statusOf(line.description, text);
  if (status === 'name-only')
    return judge(copy, status, 'budget', 'the list has no room for its description', { file, fix: SHORTEN });
  if (status === 'shortened')
    return judge(copy, status, 'budget', `its description is cut to ${[...text].length} characters to fit the list`, {
      file,
      fix: SHORTEN,
    });
  if (read.isCut)
    return judge(copy, 'shortened', 'budget', `its description is cut to ${[...read.description].length} characters`, {
      file,
      fix: `Shorten the description in ${file}`,
    });
  judge(copy, 'seen', 'places', 'it is listed with its whole description', { file });
}

const SHORTEN =
  'Shorten descriptions, or disable skills that are not needed: lectern agents shows what each step gains';

/** Judges the copies that are in none of the agent's folders. */
function judgeOthers(profile: Profile, survey: Survey, verdicts: ReadonlyMap<Copy, Verdict>, judge: Judge): void {
  const places = survey.agents.get(profile.id)?.places ?? [];
  const inProject = places.filter((own) => own.inProject);
  // Prefers a shared folder, so that other agents see the skill too.
  const target = inProject.find(({ place }) => place.provider === 'agents') ?? inProject[0] ?? places[0];
  const listed = new Map(
    [...verdicts.values()].filter(({ status }) => isListed(status)).map((each) => [foldName(each.copy.name), each]),
  );
  for (const copy of survey.copies) {
    if (verdicts.has(copy) || copy.builtIn) continue;
    const [first] = copy.sightings;
    if (!first) continue;
    const { place } = first;
    const own = listed.get(foldName(copy.name));
    if (place.package !== undefined && profile.id === 'claude' && place.provider === 'claude') {
      const reason = `it belongs to ${place.package}: ${profile.name} lists it once it touches a file there`;
      judge(copy, 'not-read', 'places', reason, { fix: `Start ${profile.name} in ${place.package}` });
      continue;
    }
    const fix = own
      ? `Replace the copy that it reads, ${path.dirname(own.file)}, or leave it if both are wanted`
      : target === undefined
        ? `lectern setup shows how to serve it to ${profile.name}`
        : `Link or copy the folder to ${target.place.dir + copy.path.slice(copy.path.lastIndexOf(path.sep))}`;
    judge(copy, 'not-read', 'places', `${profile.name} does not read ${place.dir}`, { fix });
  }
}
