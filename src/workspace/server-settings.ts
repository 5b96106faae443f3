/** Settings of the MCP server. Here, and not beside the server, because the configuration file and `doctor` know them too. */
import { chooseSetting, type ConfigFile, type Setting } from './config.ts';

/** Groups of tools that can be switched on and off. */
export const TOOLSETS = ['skill', 'skills', 'specs'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** `skills_list` or `skills.list`. Calls are understood in both spellings. */
export const TOOL_NAMES = ['underscore', 'dotted'] as const;
export type ToolNames = (typeof TOOL_NAMES)[number];

/** Faster than the minimum, a scan would start before the last one is of any use; above the maximum, timers overflow. */
export const REFRESH_INTERVAL_MS = { min: 100, max: 2_147_483_647, default: 30_000 } as const;

/** Two common agents cut tool descriptions at 2,048 and 4,096 characters; the larger one is met. */
const DESCRIPTION_BUDGET_BYTES = 4_000;

export interface ServerOptions {
  autoRefresh?: boolean | undefined;
  refreshInterval?: number | undefined;
  watch?: boolean | undefined;
  tools?: readonly Toolset[] | undefined;
  toolNames?: ToolNames | undefined;
  serverName?: string | undefined;
  descriptionBudget?: number | undefined;
  allowedHost?: readonly string[] | undefined;
  autoIndex?: boolean | undefined;
}

export interface ServerSettings {
  autoRefresh: Setting<boolean>;
  refreshInterval: Setting<number>;
  watch: Setting<boolean>;
  tools: Setting<readonly Toolset[]>;
  toolNames: Setting<ToolNames>;
  serverName: Setting<string>;
  descriptionBudget: Setting<number>;
  allowedHost: Setting<readonly string[]>;
  autoIndex: Setting<boolean>;
}

export function chooseServerSettings(options: ServerOptions, files: readonly ConfigFile[]): ServerSettings {
  return {
    autoRefresh: chooseSetting(options.autoRefresh, files, (config) => config.autoRefresh, true),
    refreshInterval: chooseSetting(
      options.refreshInterval,
      files,
      (config) => config.refreshInterval,
      REFRESH_INTERVAL_MS.default,
    ),
    watch: chooseSetting(options.watch, files, (config) => config.watch, true),
    tools: chooseSetting<readonly Toolset[]>(options.tools, files, (config) => config.tools, TOOLSETS),
    toolNames: chooseSetting<ToolNames>(options.toolNames, files, (config) => config.toolNames, 'underscore'),
    serverName: chooseSetting(options.serverName, files, (config) => config.serverName, 'lectern'),
    descriptionBudget: chooseSetting(
      options.descriptionBudget,
      files,
      (config) => config.descriptionBudget,
      DESCRIPTION_BUDGET_BYTES,
    ),
    allowedHost: chooseSetting<readonly string[]>(options.allowedHost, files, (config) => config.allowedHost, []),
    autoIndex: chooseSetting(options.autoIndex, files, (config) => config.autoIndex, false),
  };
}
