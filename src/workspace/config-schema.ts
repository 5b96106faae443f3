/** The configuration file: one schema for the project's and the user's. Loaded only where such a file exists. */
import * as z from 'zod';
import { REFRESH_INTERVAL_MS, TOOL_NAMES, TOOLSETS } from './server-settings.ts';

const texts = z
  .union([z.string(), z.array(z.string())], 'expected text or a list of texts')
  .transform((value) => (Array.isArray(value) ? value : [value]));

export const ConfigSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors; ignored.'),
  skillDir: texts
    .optional()
    .describe('Folders of skills that win over all others; DIR or DIR?scope=NAME. Relative to the file’s project.'),
  root: z.string().optional().describe('Replaces the project’s skills/ folder.'),
  skipPlugins: z.boolean().optional().describe('Leaves out the skills of Claude Code plugins.'),
  pluginsFile: z.string().optional().describe('Another installed_plugins.json.'),
  pluginsRoot: z.string().optional().describe('Another folder of Claude Code plugins.'),
  scanDefaultDirs: z.boolean().optional().describe('false searches only the folders named here or by flags.'),
  priority: z
    .enum(['contract', 'project-first'])
    .optional()
    .describe('project-first puts every project folder before every user folder.'),
  include: texts.optional().describe('Filter tokens, as --include.'),
  exclude: texts.optional().describe('Filter tokens, as --exclude.'),
  search: z
    .strictObject({
      embeddings: z
        .enum(['bundled', 'endpoint', 'none'])
        .optional()
        .describe(
          'Where vectors for search by meaning come from: the model that comes with Lectern (default), an endpoint, or nowhere.',
        ),
      endpoint: z
        .strictObject({
          url: z
            .string()
            .describe(
              'An OpenAI-compatible server, such as http://127.0.0.1:11434/v1. The project’s file may only name this machine.',
            ),
          model: z
            .string()
            .describe('The model to ask for. Its key, where one is needed, is read from LECTERN_EMBEDDINGS_KEY.'),
          queryPrefix: z.string().optional().describe('Put before every query, for models that want it.'),
          documentPrefix: z.string().optional().describe('Put before every indexed text, for models that want it.'),
          floor: z
            .number()
            .min(-1)
            .max(1)
            .optional()
            .describe('Cosines below it count as unrelated; measured from the documents by default.'),
          batch: z.int().min(1).max(2048).optional().describe('Texts in one request; 32 by default.'),
          timeoutMs: z
            .int()
            .min(100)
            .max(600_000)
            .optional()
            .describe('Milliseconds one request may take; 30,000 by default.'),
        })
        .optional()
        .describe('The embeddings endpoint.'),
    })
    .optional()
    .describe('Search by meaning.'),
  specsDir: z.string().optional().describe('The folder of specs, instead of the one that is found.'),
  changesDir: z.string().optional().describe('The folder of changes, instead of the one that is found.'),
  autoIndex: z
    .boolean()
    .optional()
    .describe('true: a server builds the search index at its start where there is none (as --auto-index).'),
  autoRefresh: z
    .boolean()
    .optional()
    .describe('false: a server looks at the files once, at its start (as --no-refresh).'),
  refreshInterval: z
    .int()
    .min(REFRESH_INTERVAL_MS.min)
    .max(REFRESH_INTERVAL_MS.max)
    .optional()
    .describe('Milliseconds between two looks of a server.'),
  watch: z.boolean().optional().describe('false: a server does not watch the folders between two looks.'),
  tools: z
    .union([z.string().transform((value) => value.split(',').map((each) => each.trim())), z.array(z.string())])
    .pipe(z.array(z.enum(TOOLSETS)))
    .optional()
    .describe('Toolsets that a server offers: skill, skills, specs.'),
  toolNames: z.enum(TOOL_NAMES).optional().describe('How tools are called in lists: skills_list or skills.list.'),
  serverName: z.string().min(1).max(64).optional().describe('The name a server gives itself.'),
  descriptionBudget: z
    .int()
    .min(0)
    .optional()
    .describe('Bytes of the skill tool’s description; 0 lists everything in full.'),
  allowedHost: texts.optional().describe('Further host names under which a server may be called.'),
  limits: z
    .strictObject({
      walkDepth: z.int().min(1).max(256).optional().describe('Levels searched below a root.'),
      walkEntries: z.int().min(1).max(10_000_000).optional().describe('Entries looked at in one root.'),
    })
    .optional()
    .describe('Limits of the search for skills.'),
});

export type Config = z.output<typeof ConfigSchema>;
