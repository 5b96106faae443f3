/** What a caller of the library may ask for: the words of the configuration file, and the folders to stand in. */
import * as z from 'zod';
import { Failure } from '../core/failure.ts';
import { echo } from '../core/text.ts';
import { ConfigSchema } from './config-schema.ts';
import { misfitOf } from './misfit.ts';
import type { WorkspaceOptions } from './settings.ts';

const OptionsSchema = ConfigSchema.omit({ $schema: true }).extend({
  projectDir: z.string().optional(),
  userDir: z.string().optional(),
  // Taken as it is: the environment of a process is no plain object.
  environment: z
    .custom<NonNullable<WorkspaceOptions['environment']>>(
      (value) => typeof value === 'object' && value !== null,
      'expected an object',
    )
    .optional(),
  skills: z.boolean().optional(),
  readConfig: z.boolean().optional(),
  mustExist: z.boolean().optional(),
  alone: z.boolean().optional(),
  once: z.boolean().optional(),
});

/** The options, brought into form; a Failure names the first that does not fit, and what may have been meant. */
export function checkOptions(options: unknown): z.output<typeof OptionsSchema> {
  const parsed = OptionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const { place, unknown, message, near, known } = misfitOf(OptionsSchema, parsed.error);
  if (place === '')
    throw new Failure('USAGE', 'The options must be an object.', {
      hint: 'For example: openCatalog({ projectDir: "." }).',
    });
  if (unknown === undefined)
    throw new Failure('USAGE', `The option "${echo(place)}" does not fit: ${message}.`, {
      hint: 'See docs/library.md for the options.',
    });
  throw new Failure('USAGE', `"${echo(place)}" is not a known option.`, {
    suggestions: near,
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known options: ${known.join(', ')}.`,
  });
}
