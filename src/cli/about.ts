import os from 'node:os';
import { nodeFiles } from '../core/disk/node-tree.ts';
import { VERSION } from '../core/version.ts';
import { makeStyle } from '../render/style.ts';
import { cacheFolder } from '../workspace/cache-folder.ts';
import { userConfigFolder, type WorkspaceOptions } from '../workspace/settings.ts';
import { stateFolder } from '../workspace/state-folder.ts';

/** Facts for bug reports. Paths in the home begin with ~, so they contain no user name. */
export function aboutLectern(options: WorkspaceOptions, program: string): object {
  const { place } = makeStyle({ color: false, home: options.userDir });
  const shown = (folder: string | undefined): string | null => (folder === undefined ? null : place(folder));
  return {
    version: VERSION,
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    release: os.release(),
    paths: {
      program: shown(program),
      config: shown(userConfigFolder(options)),
      cache: shown(cacheFolder(nodeFiles, options)),
      state: shown(stateFolder(nodeFiles, options)),
    },
  };
}
