import type { specCounts } from '../operations/spec-counts.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import { renderMap } from './spec-map.ts';
import { safe, type Style } from './style.ts';
import { type Column, layOut } from './table.ts';

type SpecIndex = AnswerOf<typeof specCounts>;

const COLUMNS: readonly Column[] = [
  { head: 'SPEC' },
  { head: 'PACKAGE' },
  { head: 'REQS', isNumber: true, inWords: (cell) => `${cell} requirement${cell === '1' ? '' : 's'}` },
  { head: 'SCENARIOS', isNumber: true, inWords: (cell) => `${cell} scenario${cell === '1' ? '' : 's'}` },
  { head: 'PURPOSE', fillsAtLeast: 20 },
];

export function renderSpecs({ specs, folders = ['openspec/specs'], map }: SpecIndex, style: Style): string {
  if (specs.length === 0) {
    const places = folders.map((folder) => `${safe(folder)}/<capability>/spec.md`).join(' or ');
    return `No specs found.\n\n${style.dim(`Specs live in ${places}; see`)} lectern doctor\n`;
  }
  const { head, rows } = layOut(
    COLUMNS,
    specs.map(({ id, package: inPackage = '', requirements, scenarios, title, purpose }) => [
      { text: safe(id), paint: style.cyan },
      { text: safe(inPackage) },
      { text: grouped(requirements), paint: style.dim },
      { text: grouped(scenarios), paint: style.dim },
      { text: safe((purpose || title).replaceAll(/\s+/gu, ' ')) },
    ]),
    style,
  );
  const total = (key: 'requirements' | 'scenarios'): number => specs.reduce((sum, spec) => sum + spec[key], 0);
  const counts = `${count(specs.length, 'spec')}: ${count(total('requirements'), 'requirement')}, ${count(total('scenarios'), 'scenario')}`;
  const list = `${[...(head === undefined ? [] : [head]), ...rows].join('\n')}\n\n${style.dim(counts)}\n`;
  return map ? `${list}\n${renderMap(map, style)}` : list;
}
