/** The skills of the same name: which agent uses which and, in a shared catalog, the source of each. */
import path from 'node:path';
import { count } from '../../../core/text.ts';
import { skillAddress } from '../../address.ts';
import type { Here } from '../../here.ts';
import { Badge, Link, SectionHead, type Html } from '../../html.tsx';
import { Copies, type CopyNode } from '../../plots/copies.tsx';
import { placeWords } from '../why.tsx';
import type { Shown } from './shown.ts';

export function SameName(shown: Shown): Html | null {
  const nodes = nodesOf(shown);
  if (nodes.length < 2) return null;
  return (
    <section aria-labelledby="copies">
      <SectionHead id="copies" title={shown.source ? 'Skills of this name' : 'Copies, and which agent uses which'} />
      {shown.source ? <Namesakes copies={nodes} /> : <Copies copies={nodes} />}
    </section>
  );
}

function nodesOf({ details, copy, here }: Shown): CopyNode[] {
  const { sameName = [], fullName: ownName, path: own } = details;
  return sameName.map(({ fullName, path: dir, place, source, differingLines, agents }) => {
    const isThis = dir === own;
    const hasTwin = sameName.some((other) => other.path !== dir && other.fullName === fullName);
    return {
      title: source ?? placeWords({ place, path: dir }, here),
      place: here.place(dir),
      tip: here.key(dir),
      to: skillAddress(fullName, source === undefined || hasTwin ? here.copyOf(fullName, dir) : undefined),
      isThis,
      note: differingLines > 0 ? `differs in ${count(differingLines, 'line')}` : 'same text',
      compare:
        isThis || differingLines === 0
          ? undefined
          : `${skillAddress(ownName, copy, { with: here.can.seeSources ? dir : here.key(dir) })}#compared`,
      agents,
    };
  });
}

/** Skills of the same name in other sources, and other copies in this one. */
function Namesakes({ copies }: { copies: readonly CopyNode[] }): Html {
  return (
    <ul class="card rows lines">
      {copies.map(({ title, place, to, isThis, note, compare }) => (
        <li data-row>
          <div>
            {isThis ? (
              <b>{title}</b>
            ) : (
              <Link class="ttl" to={to}>
                {title}
              </Link>
            )}{' '}
            {isThis ? <Badge tone="acc">this one</Badge> : null}
          </div>
          {isThis ? null : (
            <span class="small dim">
              {note}
              {compare === undefined ? null : (
                <>
                  {' · '}
                  <Link to={compare}>compare</Link>
                </>
              )}
            </span>
          )}
          <p class="src path">{place}</p>
        </li>
      ))}
    </ul>
  );
}

/**
 * Of a name with several versions, the agents that use this one. Without agents, the place of the version that the short name
 * loads: `file` is its SKILL.md.
 */
export function OtherVersion({
  file,
  usedBy,
  here,
}: {
  file: string | undefined;
  usedBy: readonly string[] | undefined;
  here: Here;
}): Html | null {
  if (usedBy) return <Badge>{usedBy.length === 0 ? 'used by no agent here' : `used by ${usedBy.join(', ')}`}</Badge>;
  return file === undefined ? null : <Badge>other version: {here.place(path.dirname(path.dirname(file)))}</Badge>;
}
