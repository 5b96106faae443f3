/** One strip for the first request of an agent: one block for each part, in the order of the request. */
import { KIND_WORDS } from '../../render/context.ts';
import type { ContextKind } from '../../agents/names.ts';
import type { ContextItem } from '../../operations/context.ts';
import { count, grouped } from '../../core/text.ts';
import type { Html } from '../html.tsx';

const HEIGHT = 26;
/** Further parts share one block, because they would be too narrow to see. */
const BLOCKS_MAX = 120;

type Group = 'own' | 'memory' | 'skills' | 'other';

const GROUPS: Readonly<Record<ContextKind, Group>> = {
  system: 'own',
  tools: 'own',
  environment: 'own',
  memory: 'memory',
  rule: 'memory',
  skills: 'skills',
  subagent: 'other',
  command: 'other',
  'mcp-server': 'other',
};

const LOOKS: Readonly<Record<Group, { fill: string; words: string }>> = {
  own: { fill: 'seg own', words: 'built into the agent' },
  memory: { fill: 'seg mem', words: 'memory files and rules' },
  skills: { fill: 'seg', words: 'skills' },
  other: { fill: 'seg aux', words: 'subagents, commands and MCP servers' },
};

export interface PartBlock {
  group: Group;
  label: string;
  /** Start and length in tokens. */
  from: number;
  tokens: number;
}

/** Returns the blocks of the parts whose size is known. Together they are as long as the figures in the list. */
export function partBlocks(items: readonly ContextItem[]): PartBlock[] {
  const blocks: PartBlock[] = [];
  let from = 0;
  for (const { kind, name, tokens } of items) {
    if (tokens === null || tokens === 0) continue;
    const group = GROUPS[kind];
    const last = blocks.at(-1);
    if (last && blocks.length >= BLOCKS_MAX) {
      last.tokens += tokens;
      last.label = 'further parts';
    } else blocks.push({ group, label: `${KIND_WORDS[kind]}: ${name}`, from, tokens });
    from += tokens;
  }
  return blocks;
}

/** The unit of the drawing is a token, so every width is the figure of its part. */
export function PartStrip({ label, items }: { label: string; items: readonly ContextItem[] }): Html {
  const blocks = partBlocks(items);
  const last = blocks.at(-1);
  const all = last ? last.from + last.tokens : 1;
  return (
    <svg viewBox={`0 0 ${all} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="track" x="0" y="5" width={all} height="16" />
      {blocks.map(({ group, from, tokens, label: title }) => (
        <rect class={LOOKS[group].fill} x={from} y="5" width={tokens} height="16" vector-effect="non-scaling-stroke">
          <title>{`${title}, ${count(tokens, 'token')}`}</title>
        </rect>
      ))}
    </svg>
  );
}

export function PartLegend({ items }: { items: readonly ContextItem[] }): Html {
  const sizeOf = (group: Group): number =>
    items.reduce((sum, { kind, tokens }) => sum + (GROUPS[kind] === group ? (tokens ?? 0) : 0), 0);
  return (
    <div class="legend">
      {(Object.keys(LOOKS) as Group[]).map((group) => (
        <span>
          <svg viewBox="0 0 14 12" aria-hidden="true">
            <rect class={LOOKS[group].fill} width="14" height="12" />
          </svg>
          {LOOKS[group].words}: ~{grouped(sizeOf(group))}
        </span>
      ))}
    </div>
  );
}
