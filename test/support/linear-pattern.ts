/**
 * Proves that a regular expression takes linear time for every text. A backtracking engine is slow if some text can be repeated so
 * that two loops of the expression share it: both `\s*` and `.*` match blanks in `^\s*(.*)$`, and a search for `\s+$` restarts at
 * each blank of a long run. The proof looks for such a text in the automaton of the expression. If in doubt, it reports the
 * expression: a failing end of the text is not required, so expressions are reported that happen never to fail.
 */

/** Returns the reasons why an expression may be slow; empty if it is linear. */
export function slowParts(source: string, flags: string): string[] {
  return [...new Set(new Automaton(source, flags).problems())];
}

type Node =
  | { kind: 'set'; raw: string }
  | { kind: 'sequence' | 'choice'; parts: Node[] }
  | { kind: 'repeat'; body: Node; min: number; max: number; raw: string }
  | { kind: 'group'; body: Node; names: string[] }
  | { kind: 'same'; name: string }
  | { kind: 'assertion'; raw: string }
  | { kind: 'ahead'; body: Node }
  | { kind: 'behind'; body: Node };

/** Parses an expression that the engine has accepted, so its syntax is not checked. */
class Parser {
  readonly #source: string;
  #at = 0;
  #groups = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node {
    const choices = [this.#sequence()];
    while (this.#take('|')) choices.push(this.#sequence());
    return choices.length === 1 && choices[0] ? choices[0] : { kind: 'choice', parts: choices };
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #takeMatch(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern.source, 'uy');
    sticky.lastIndex = this.#at;
    const match = sticky.exec(this.#source) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#source.length && !/[|)]/u.test(this.#source.charAt(this.#at))) parts.push(this.#item());
    return { kind: 'sequence', parts };
  }

  #item(): Node {
    const start = this.#at;
    const body = this.#atom();
    const quantifier = this.#takeMatch(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/u);
    if (!quantifier) return body;
    const [, mark, least = '', comma, most = ''] = quantifier;
    const min = mark === undefined ? Number(least) : mark === '+' ? 1 : 0;
    const max =
      mark === undefined ? (comma ? (most === '' ? Infinity : Number(most)) : min) : mark === '?' ? 1 : Infinity;
    return { kind: 'repeat', body, min, max, raw: this.#source.slice(start, this.#at) };
  }

  #atom(): Node {
    const assertion = this.#takeMatch(/[\^$]|\\[bB]/u)?.[0];
    if (assertion !== undefined) return { kind: 'assertion', raw: assertion };
    if (this.#take('(?=') || this.#take('(?!')) return this.#closed((body) => ({ kind: 'ahead', body }));
    if (this.#take('(?<=') || this.#take('(?<!')) return this.#closed((body) => ({ kind: 'behind', body }));
    if (this.#take('(?:')) return this.#closed((body) => body);
    const name = this.#takeMatch(/\((?:\?<(\w+)>)?(?!\?)/u);
    if (name) {
      const names = [String(++this.#groups), ...(name[1] === undefined ? [] : [name[1]])];
      return this.#closed((body) => ({ kind: 'group', body, names }));
    }
    const same = this.#takeMatch(/\\(?:([1-9]\d*)|k<(\w+)>)/u);
    if (same) return { kind: 'same', name: same[1] ?? same[2] ?? '' };
    const set = this.#takeMatch(
      /\[(?:[^\]\\]|\\[^])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}(?:\\u[dD][c-fC-F][\da-fA-F]{2})?|x[\da-fA-F]{2}|c[A-Za-z]|[^])|[^()[\]*+?|]/u,
    )?.[0];
    if (set === undefined) throw new Error(`cannot read ${this.#source} at ${this.#at}`);
    return { kind: 'set', raw: set };
  }

  #closed(make: (body: Node) => Node): Node {
    const body = this.parse();
    if (!this.#take(')')) throw new Error(`no end of a group in ${this.#source} at ${this.#at}`);
    return make(body);
  }
}

/** A sample of characters of every kind. Characters that an expression names are added. */
const SAMPLES = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code)),
  ...Array.from(
    'αΩжЖאع१กあ日本한İıſKÅ\u0301\u093f\u200b\u200c\u200d\u2000\u2003\u2028\u2029\u202e\u2060\u3000\ufe0f\ufeff\uff21\uff1a',
  ),
  ...Array.from('\u{1f600}\u{1f1e6}\u{1f3fb}\u{20000}\u{e0041}\u{1d400}±…—–“”’‘→❌✅€№²½ªº'),
];

function samplesFor(source: string): string[] {
  const named = [...source.matchAll(/\\u\{?([\da-fA-F]{4,6})|[^\u0000-\u017f]/gu)].map(([text, code]) =>
    code === undefined ? (text.codePointAt(0) ?? 0) : Number.parseInt(code, 16),
  );
  const near = named.flatMap((code) => [code - 1, code, code + 1]).filter((code) => code > 0 && code <= 0x10_ffff);
  return [...new Set([...SAMPLES, ...near.map((code) => String.fromCodePoint(code))])];
}

/** A set of characters, one bit for each kind of character that the expression tells apart. */
type Mask = bigint;

/** A place in the expression that consumes one character. */
interface Position {
  mask: Mask;
  /** The loops around it, the outermost first. */
  loops: readonly Loop[];
  edges: Edge[];
}

interface Edge {
  to: Position;
  /** Only if the character at this position is one of these. */
  from: Mask;
  /** Only if the character at the next position is one of these. */
  next: Mask;
}

interface Loop {
  raw: string;
  max: number;
  positions: Position[];
  /** The expression can end right after the loop, so nothing makes the engine try again. */
  succeeds: boolean;
}

/** A step without a character; `guard` is the assertion that must hold. */
interface Step {
  to: State;
  guard?: string;
}

interface State {
  steps: Step[];
  position?: Position;
  isEnd?: boolean;
}

/** Longer bounded repetitions count as loops that end; shorter ones are written out. */
const WRITTEN_OUT = 40;
/** Fewer repetitions do not count. */
const FEW = 10;
/** A bounded repetition may make a text at most this many times as slow, together with others. */
const MOST_WORK = 2_000;

class Automaton {
  readonly #flags: string;
  readonly #all: Mask;
  readonly #words: Mask;
  readonly #breaks: Mask;
  readonly #masks = new Map<string, Mask>();
  readonly #positions: Position[] = [];
  readonly #loops: Loop[] = [];
  readonly #groups = new Map<string, Node>();
  readonly #problems: string[] = [];
  /** The characters before a match, each of which can begin a new attempt. */
  readonly #skipped: Position;

  constructor(source: string, flags: string) {
    this.#flags = flags;
    const tree = new Parser(source).parse();
    const sets = new Set<string>();
    for (const node of nodesIn(tree)) {
      if (node.kind === 'set') sets.add(node.raw);
      if (node.kind === 'group') for (const name of node.names) this.#groups.set(name, node.body);
    }
    const kinds = this.#kindsOf(source, ['\\w', '[\\n\\r\\u2028\\u2029]', ...sets]);
    this.#all = (1n << BigInt(kinds.length)) - 1n;
    const maskOf = (index: number): Mask =>
      kinds.reduce((mask, kind, bit) => (kind[index] === '1' ? mask | (1n << BigInt(bit)) : mask), 0n);
    this.#words = maskOf(0);
    this.#breaks = maskOf(1);
    for (const [index, set] of [...sets].entries()) this.#masks.set(set, maskOf(index + 2));

    const end: State = { steps: [], isEnd: true };
    const start = this.#build(tree, end, []);
    this.#skipped = { mask: this.#all, loops: [], edges: [] };
    // A sticky expression is tried at one place only.
    if (!flags.includes('y')) this.#follow(this.#skipped, start);
    for (const position of this.#positions) this.#follow(position, this.#after.get(position) ?? end);
    for (const loop of this.#loops) loop.succeeds = this.#reachesEnd(this.#exits.get(loop));
  }

  readonly #after = new Map<Position, State>();
  readonly #exits = new Map<Loop, State>();

  /** For each kind of character, to which sets it belongs. */
  #kindsOf(source: string, sets: readonly string[]): string[] {
    const flags = this.#flags.replaceAll(/[gymd]/gu, '');
    const tests = sets.map((set) => new RegExp(`^(?:${set})$`, flags));
    return [
      ...new Set(samplesFor(source).map((sample) => tests.map((test) => (test.test(sample) ? '1' : '0')).join(''))),
    ];
  }

  /** Returns the state before a node that leads to the state after it. */
  #build(node: Node, next: State, loops: readonly Loop[]): State {
    switch (node.kind) {
      case 'set': {
        const position: Position = { mask: this.#masks.get(node.raw) ?? 0n, loops, edges: [] };
        this.#positions.push(position);
        for (const loop of loops) loop.positions.push(position);
        this.#after.set(position, next);
        return { steps: [], position };
      }
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.#build(part, after, loops), next);
      case 'choice':
        return { steps: node.parts.map((part) => ({ to: this.#build(part, next, loops) })) };
      case 'group':
        return this.#build(node.body, next, loops);
      case 'same': {
        // A reference matches only texts that its group matches, or the empty text.
        const body = this.#groups.get(node.name);
        return { steps: [{ to: next }, ...(body ? [{ to: this.#build(body, next, loops) }] : [])] };
      }
      case 'assertion':
        return { steps: [{ to: next, guard: node.raw }] };
      case 'ahead':
        // The engine tries the body, then continues from the same place.
        return { steps: [{ to: this.#build(node.body, { steps: [] }, loops) }, { to: next }] };
      case 'behind':
        if ([...nodesIn(node.body)].some((each) => each.kind === 'repeat' && each.max === Infinity))
          this.#problems.push('a loop inside a lookbehind');
        return { steps: [{ to: next }] };
      case 'repeat':
        return this.#repeat(node, next, loops);
    }
  }

  #repeat(node: Extract<Node, { kind: 'repeat' }>, next: State, loops: readonly Loop[]): State {
    const { body, min, max } = node;
    if (max === 1 || (max !== Infinity && max * sizeOf(body) <= WRITTEN_OUT)) {
      let state = next;
      for (let left = max - min; left > 0; left--)
        state = { steps: [{ to: this.#build(body, state, loops) }, { to: next }] };
      for (let left = min; left > 0; left--) state = this.#build(body, state, loops);
      return state;
    }
    const loop: Loop = { raw: node.raw, max, positions: [], succeeds: false };
    this.#loops.push(loop);
    // An iteration that consumes nothing comes back to `again` without a character, which ends the way.
    const again: State = { steps: [] };
    const first = this.#build(body, again, [...loops, loop]);
    again.steps.push({ to: first }, { to: next });
    this.#exits.set(loop, next);
    return min === 0 ? { steps: [...again.steps] } : first;
  }

  /** Adds an edge for each way from a position to the next character. */
  #follow(position: Position, start: State): void {
    const isSkipped = position === this.#skipped;
    if (isSkipped) position.edges.push({ to: position, from: this.#all, next: this.#all });
    const visit = (state: State, path: readonly State[], from: Mask, next: Mask): void => {
      if ((from & position.mask) === 0n || path.includes(state)) return;
      if (state.position) {
        if ((next & state.position.mask) !== 0n) position.edges.push({ to: state.position, from, next });
        return;
      }
      for (const { to, guard } of state.steps)
        for (const [before, after] of this.#allowed(guard)) visit(to, [...path, state], from & before, next & after);
    };
    visit(start, [], this.#all, this.#all);
  }

  /** Which characters may stand before and after an assertion. */
  #allowed(guard: string | undefined): [Mask, Mask][] {
    const [all, words] = [this.#all, this.#words];
    const others = all & ~words;
    const isMultiline = this.#flags.includes('m');
    if (guard === '^') return [[isMultiline ? this.#breaks : 0n, all]];
    if (guard === '$') return [[all, isMultiline ? this.#breaks : 0n]];
    if (guard === '\\b')
      return [
        [words, others],
        [others, words],
      ];
    if (guard === '\\B')
      return [
        [words, words],
        [others, others],
      ];
    return [[all, all]];
  }

  #reachesEnd(start: State | undefined): boolean {
    const seen = new Set<State>();
    const visit = (state: State): boolean => {
      if (state.isEnd) return true;
      if (seen.has(state)) return false;
      seen.add(state);
      return state.steps.some(({ to, guard }) => guard === undefined && visit(to));
    };
    return start !== undefined && visit(start);
  }

  problems(): string[] {
    const endless = this.#loops.filter(({ max }) => max === Infinity);
    const outermost = endless.filter((loop) =>
      loop.positions.some((position) => position.loops.find(({ max }) => max === Infinity) === loop),
    );
    for (const loop of outermost)
      if (this.#isAmbiguous(loop)) this.#problems.push(`${loop.raw} matches one text in several ways`);
    for (const loop of outermost) {
      if (loop.succeeds) continue;
      const steps = this.#sharedText(undefined, loop);
      if (steps !== undefined) this.#problems.push(`a search restarts inside ${loop.raw}`);
      for (const earlier of outermost)
        if (earlier !== loop && this.#sharedText(earlier, loop) !== undefined)
          this.#problems.push(`${earlier.raw} and ${loop.raw} match the same text`);
    }
    this.#judgeBounded();
    return this.#problems;
  }

  /** Bounded repetitions that share a text multiply the work. The product must stay small. */
  #judgeBounded(): void {
    const bounded = this.#loops.filter(({ max, succeeds }) => max !== Infinity && max >= FEW && !succeeds);
    const endless = this.#loops.filter(({ max }) => max === Infinity);
    const factors = new Map<Loop, number>();
    const ways = new Map<Loop, string>();
    for (const loop of bounded) {
      const steps = [undefined, ...endless].flatMap((earlier) => this.#sharedText(earlier, loop) ?? []);
      const alone = steps.length === 0 ? 1 : Math.max(1, loop.max / Math.min(...steps));
      factors.set(loop, alone);
      ways.set(loop, loop.raw);
    }
    // Loops were added from the end of the expression.
    for (const loop of [...bounded].reverse())
      for (const earlier of bounded) {
        if (earlier === loop) continue;
        const steps = this.#sharedText(earlier, loop);
        if (steps === undefined) continue;
        const product = (factors.get(earlier) ?? 1) * Math.max(1, loop.max / steps);
        if (product > (factors.get(loop) ?? 1)) {
          factors.set(loop, product);
          ways.set(loop, `${ways.get(earlier)} … ${loop.raw}`);
        }
      }
    for (const [loop, factor] of factors)
      if (factor > MOST_WORK) this.#problems.push(`${ways.get(loop)} multiply the work by ${Math.round(factor)}`);
  }

  /** Whether a loop can match one text in two ways. */
  #isAmbiguous(loop: Loop): boolean {
    const inside = new Set(loop.positions);
    const seen = new Map<Position, Set<Position>>();
    const queue: [Position, Position][] = [];
    const add = (a: Position, b: Position): boolean => {
      if (a === b) return true;
      const known = seen.get(a) ?? new Set();
      seen.set(a, known);
      if (!known.has(b)) queue.push([a, b]);
      known.add(b);
      return false;
    };
    for (const position of loop.positions) {
      const edges = position.edges.filter(({ to }) => inside.has(to));
      for (const [index, one] of edges.entries())
        for (const other of edges.slice(index + 1)) {
          if (!meets(one, other)) continue;
          if (add(one.to, other.to)) return true;
        }
    }
    for (let pair = queue.pop(); pair; pair = queue.pop()) {
      const [a, b] = pair;
      for (const one of a.edges)
        for (const other of b.edges)
          if (
            inside.has(one.to) &&
            inside.has(other.to) &&
            meets(one, other) &&
            (a.mask & b.mask & one.from & other.from) !== 0n
          )
            if (add(one.to, other.to)) return true;
    }
    return false;
  }

  /**
   * The length of the shortest text that leads from one loop to another, and that both can repeat; undefined if there is none.
   * Without `earlier`, that is the search for the beginning of a match.
   */
  #sharedText(earlier: Loop | undefined, loop: Loop): number | undefined {
    const first = new Set(earlier?.positions ?? [this.#skipped]);
    const second = new Set(loop.positions);
    let best: number | undefined;
    for (const p of first)
      for (const q of second) {
        if (first.has(q) && second.has(p)) continue;
        if ((p.mask & q.mask) === 0n && p !== this.#skipped) continue;
        const steps = this.#stepsBetween(p, q, first, second);
        if (steps !== undefined && (best === undefined || steps < best)) best = steps;
      }
    return best;
  }

  #stepsBetween(p: Position, q: Position, first: Set<Position>, second: Set<Position>): number | undefined {
    let layer: [Position, Position, Position][] = [[p, p, q]];
    const seen = new Map<Position, Map<Position, Set<Position>>>();
    for (let steps = 1; layer.length > 0; steps++) {
      const following: typeof layer = [];
      for (const [a, b, c] of layer) {
        const before = a.mask & b.mask & c.mask;
        for (const x of a.edges) {
          if (!first.has(x.to)) continue;
          for (const z of c.edges) {
            if (!second.has(z.to)) continue;
            const common = x.to.mask & x.next & z.to.mask & z.next;
            if (common === 0n || (before & x.from & z.from) === 0n) continue;
            for (const y of b.edges) {
              if ((common & y.to.mask & y.next) === 0n || (before & x.from & z.from & y.from) === 0n) continue;
              if (x.to === p && y.to === q && z.to === q) return steps;
              const byA = seen.get(x.to) ?? new Map<Position, Set<Position>>();
              seen.set(x.to, byA);
              const byB = byA.get(y.to) ?? new Set<Position>();
              byA.set(y.to, byB);
              if (byB.has(z.to)) continue;
              byB.add(z.to);
              following.push([x.to, y.to, z.to]);
            }
          }
        }
      }
      layer = following;
    }
    return undefined;
  }
}

function meets(one: Edge, other: Edge): boolean {
  return (one.from & other.from) !== 0n && (one.to.mask & one.next & other.to.mask & other.next) !== 0n;
}

function* nodesIn(node: Node): Iterable<Node> {
  yield node;
  if ('parts' in node) for (const part of node.parts) yield* nodesIn(part);
  if ('body' in node) yield* nodesIn(node.body);
}

function sizeOf(node: Node): number {
  if (node.kind === 'set') return 1;
  if ('parts' in node) return node.parts.reduce((sum, part) => sum + sizeOf(part), 0);
  if (node.kind === 'repeat') return sizeOf(node.body) * (node.max === Infinity ? 1 : node.max);
  return 'body' in node ? sizeOf(node.body) : 0;
}
