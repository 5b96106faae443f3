/** The configuration file: one schema for the project's and the user's. Loaded only where such a file exists. */
import * as z from 'zod';

const texts = z.union([z.string(), z.array(z.string())]).transform((value) => (Array.isArray(value) ? value : [value]));

export const ConfigSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors; ignored.'),
  skillDir: texts.optional().describe('Folders of skills that win over all others; DIR or DIR?scope=NAME. Relative to the file’s project.'),
  root: z.string().optional().describe('Replaces the project’s skills/ folder.'),
  skipPlugins: z.boolean().optional().describe('Leaves out the skills of Claude Code plugins.'),
  pluginsFile: z.string().optional().describe('Another installed_plugins.json.'),
  pluginsRoot: z.string().optional().describe('Another folder of Claude Code plugins.'),
  scanDefaultDirs: z.boolean().optional().describe('false searches only the folders named here or by flags.'),
  priority: z.enum(['contract', 'project-first']).optional().describe('project-first puts every project folder before every user folder.'),
  include: texts.optional().describe('Filter tokens, as --include.'),
  exclude: texts.optional().describe('Filter tokens, as --exclude.'),
  limits: z
    .strictObject({
      walkDepth: z.int().min(1).max(256).optional().describe('Levels searched below a root.'),
      walkEntries: z.int().min(1).max(10_000_000).optional().describe('Entries looked at in one root.'),
    })
    .optional()
    .describe('Limits of the search for skills.'),
});

export type Config = z.output<typeof ConfigSchema>;
