/** The deltas of a change as data, the same in every answer. */
import * as z from 'zod';
import type { DeltaFile } from '../specs/change-folder.ts';
import { requirementParts, RequirementSchema } from './scenario-parts.ts';

export const DeltasSchema = z.record(
  z.string(),
  z.object({
    added: z.array(RequirementSchema),
    modified: z.array(RequirementSchema),
    removed: z.array(z.object({ name: z.string(), reason: z.string().optional(), migration: z.string().optional() })),
    renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  }),
);
export type Deltas = z.output<typeof DeltasSchema>;

export function deltasOf(deltas: readonly DeltaFile[]): Deltas {
  return Object.fromEntries(
    deltas.map(({ capability, parsed }) => {
      const blocks = (operation: 'added' | 'modified') =>
        parsed.blocks
          .filter((block) => block.operation === operation)
          .map(({ requirement }) => requirementParts(parsed, requirement));
      return [
        capability,
        {
          added: blocks('added'),
          modified: blocks('modified'),
          removed: parsed.removed.map(({ name, reason, migration }) => ({
            name,
            ...(reason === undefined ? {} : { reason }),
            ...(migration === undefined ? {} : { migration }),
          })),
          renamed: parsed.renamed.map(({ from, to }) => ({ from, to })),
        },
      ];
    }),
  );
}
