/** The real agents: where each comes from, and how it is run once, without a terminal, a real home or a real model. */
import { PROFILES } from '../../src/agents/profiles/index.ts';
import type { TempFolder } from '../support/temp-folder.ts';

/** What the model does: one call of one of our tools. */
export interface Call {
  tool: string;
  input: Record<string, unknown>;
}

/** An agent whose skill list is compared. */
export interface ListedAgent {
  /** ID of its profile. */
  client: Agent['client'] | 'copilot' | 'qwen' | 'pi' | 'kilo' | 'kimi' | 'cline' | 'continue';
  title: string;
  package: string;
  bin: string;
  /** Files below `home/` and `project/` that make it ask our model; the server is added by `lectern setup`. */
  settings(model: string, folder: TempFolder): Record<string, string>;
  args: readonly string[];
  /** The same without a server, if that differs. */
  lists?: readonly string[];
  environment(model: string): Record<string, string>;
}

/** An agent that is also connected to the server. */
export interface Agent extends ListedAgent {
  /** Of its record. */
  id: string;
  /** As `lectern setup` calls it. */
  client: 'claude' | 'codex' | 'opencode' | 'gemini';
  /** What is different about it, where one agent stands here twice. */
  variant?: string;
  /** Where its model calls tools only from programs and is not shown them: the tool that runs one, and a program that makes a call. */
  program?: { tool: string; script(call: Call): string };
}

export const PROMPT = 'Do the work.';
export const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** It knows the model by name and goes by what it can do; who answers is another matter. */
const codex = (more: readonly string[]): Omit<Agent, 'id' | 'title'> => ({
  client: 'codex',
  package: '@openai/codex',
  bin: 'codex',
  settings: (model) => ({
    'home/.codex/config.toml': [
      'model = "gpt-6.1-sol"',
      'model_provider = "fake"',
      'approval_policy = "never"',
      'check_for_update_on_startup = false',
      '',
      '[analytics]',
      'enabled = false',
      '',
      '[model_providers.fake]',
      'name = "fake"',
      `base_url = "${model}/v1"`,
      'wire_api = "responses"',
      'env_key = "FAKE_KEY"',
      '',
      ...more,
    ].join('\n'),
  }),
  args: ['exec', '--skip-git-repo-check', PROMPT],
  environment: () => ({ FAKE_KEY: 'none' }),
});

/** Title of an agent with the version that its rules were observed with. */
export const nameOf = ({ client, title, variant }: ListedAgent & Pick<Agent, 'variant'>): string =>
  [`${title} ${PROFILES.find(({ id }) => id === client)?.version}`, ...(variant === undefined ? [] : [variant])].join(
    ', ',
  );

export const AGENTS: readonly Agent[] = [
  {
    id: 'claude',
    client: 'claude',
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    bin: 'claude',
    settings: () => ({}),
    args: ['-p', PROMPT, '--mcp-config', '.mcp.json', '--strict-mcp-config', '--allowedTools', 'mcp__lectern'],
    lists: ['-p', PROMPT],
    environment: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    }),
  },
  {
    ...codex([]),
    id: 'codex',
    title: 'Codex',
    program: {
      tool: 'exec',
      script: ({ tool, input }) =>
        `text((await tools.mcp__lectern__${tool}(${JSON.stringify(input)})).content[0].text);`,
    },
  },
  {
    ...codex(['[features.code_mode]', 'direct_only_tool_namespaces = ["mcp__lectern"]', '']),
    id: 'codex-direct',
    title: 'Codex',
    variant: 'with the setting below',
  },
  {
    id: 'opencode',
    client: 'opencode',
    title: 'opencode',
    package: 'opencode-ai',
    bin: 'opencode',
    settings: (model) => ({
      'project/opencode.json': json({
        model: 'fake/fake-model',
        small_model: 'fake/fake-model',
        autoupdate: false,
        share: 'disabled',
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'none' },
            models: { 'fake-model': { tool_call: true, limit: { context: 200_000, output: 8000 } } },
          },
        },
      }),
    }),
    args: ['run', PROMPT],
    environment: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }),
  },
  {
    id: 'gemini',
    client: 'gemini',
    title: 'Gemini CLI',
    package: '@google/gemini-cli',
    bin: 'gemini',
    settings: (_, folder) => ({
      'home/.gemini/trustedFolders.json': json({ [folder.at('project')]: 'TRUST_FOLDER' }),
      'home/.gemini/settings.json': json({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      }),
    }),
    args: ['-p', PROMPT, '--approval-mode', 'yolo', '--model', 'gemini-2.5-pro'],
    environment: (model) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
  },
];
