/** Agents that are started only to compare their skill lists. */
import { AGENTS, json, type ListedAgent, PROMPT } from './agents.ts';

const qwen: ListedAgent = {
  client: 'qwen',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  bin: 'qwen',
  settings: () => ({
    'home/.qwen/settings.json': json({
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
    }),
  }),
  args: [PROMPT, '--approval-mode', 'yolo'],
  environment: (model) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: 'fake-model' }),
};

/** `--approve` trusts the project for one run. Without it, the skills of the project are not listed. */
const pi: ListedAgent = {
  client: 'pi',
  title: 'Pi',
  package: '@earendil-works/pi-coding-agent',
  bin: 'pi',
  settings: (model) => ({
    'home/.pi/agent/models.json': json({
      providers: {
        fake: { baseUrl: `${model}/v1`, api: 'openai-completions', apiKey: 'none', models: [{ id: 'fake-model' }] },
      },
    }),
  }),
  args: ['-p', '--approve', '--provider', 'fake', '--model', 'fake-model', PROMPT],
  environment: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
};

const copilot: ListedAgent = {
  client: 'copilot',
  title: 'Copilot CLI',
  package: '@github/copilot',
  bin: 'copilot',
  settings: () => ({}),
  args: ['-p', PROMPT, '--allow-all-tools', '--trust-folder', '--disable-client-telemetry'],
  environment: (model) => ({
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'fake-model',
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
  }),
};

const kilo: ListedAgent = {
  client: 'kilo',
  title: 'Kilo Code',
  package: '@kilocode/cli',
  bin: 'kilo',
  settings: (model) => ({
    'home/.config/kilo/kilo.json': json({
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
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_TELEMETRY_LEVEL: 'off',
  }),
};

const kimi: ListedAgent = {
  client: 'kimi',
  title: 'Kimi Code',
  package: '@moonshot-ai/kimi-code',
  bin: 'kimi',
  settings: (model) => ({
    'home/.kimi-code/config.toml': [
      'default_model = "fake"',
      'telemetry = false',
      '',
      '[providers.fake]',
      'type = "openai"',
      `base_url = "${model}/v1"`,
      'api_key = "none"',
      '',
      '[models.fake]',
      'provider = "fake"',
      'model = "fake-model"',
      'max_context_size = 200000',
      '',
    ].join('\n'),
  }),
  args: ['-p', PROMPT],
  environment: () => ({ KIMI_CODE_NO_AUTO_UPDATE: '1', KIMI_DISABLE_TELEMETRY: '1' }),
};

const cline: ListedAgent = {
  client: 'cline',
  title: 'Cline',
  package: 'cline',
  bin: 'cline',
  settings: (model) => ({
    'home/.cline/data/settings/providers.json': json({
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: {
            provider: 'openai-compatible',
            apiKey: 'none',
            model: 'fake-model',
            baseUrl: `${model}/v1`,
          },
          updatedAt: '2026-11-18T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  }),
  args: ['-P', 'openai-compatible', '-m', 'fake-model', '-k', 'none', PROMPT],
  environment: () => ({ CLINE_NO_AUTO_UPDATE: '1', CLINE_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }),
};

const continueCli: ListedAgent = {
  client: 'continue',
  title: 'Continue',
  package: '@continuedev/cli',
  bin: 'cn',
  settings: (model) => ({
    'home/.continue/config.yaml': [
      'name: fake',
      'version: 1.0.0',
      'schema: v1',
      'models:',
      '  - name: fake',
      '    provider: openai',
      '    model: fake-model',
      '    apiKey: none',
      `    apiBase: ${model}/v1`,
      '    capabilities: [tool_use]',
      '    roles: [chat]',
      '',
    ].join('\n'),
  }),
  args: ['-p', PROMPT],
  environment: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
};

/** All agents whose lists are compared, each once. */
export const LISTED_AGENTS: readonly ListedAgent[] = [
  ...AGENTS.filter(({ variant }) => variant === undefined),
  copilot,
  qwen,
  pi,
  kilo,
  kimi,
  cline,
  continueCli,
];
