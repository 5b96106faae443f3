/** Serves each view of a shared catalog like a workspace. All services of a replica share the result. */
import { memo } from '../../core/memo.ts';
import type { UseCounter } from '../../hub/use-counter.ts';
import type { View } from '../../hub/view.ts';
import { AUTO_TOOLSETS } from '../../workspace/settings-table.ts';
import type { ServerLog } from '../log.ts';
import { ServedWorkspace, type ServerSettings } from '../served-workspace.ts';

export interface ServedViewsOptions {
  log: ServerLog;
  serverName: string;
  uses: Pick<UseCounter, 'loaded'>;
}

export function servedViews({ log, serverName, uses }: ServedViewsOptions): (view: View) => ServedWorkspace {
  const loads = { count: (dir: string) => uses.loaded(dir) };
  return memo((view: View) => new ServedWorkspace(view, settingsFor(serverName, view), log, { loads }));
}

function settingsFor(serverName: string, view: View): ServerSettings {
  return {
    serverName,
    tools: new Set(AUTO_TOOLSETS),
    findSpecs: () => view.hasSpecs,
    isShared: true,
    toolNames: 'underscore',
    descriptionBudget: undefined,
    // A client without a session cannot be notified of changes.
    refreshIntervalMs: undefined,
    watch: false,
  };
}
