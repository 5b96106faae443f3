/** Both homes that pages are tested on: the example, and a large one with everything that has once broken a page. */
import fs from 'node:fs';
import path from 'node:path';
import { largeHome } from '../support/large-home.ts';
import { PACKAGE_DIR } from '../support/run-lectern.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';
import { serve, type Served } from './served.ts';

export const HOMES = ['the example', 'a large home'] as const;
export type HomeName = (typeof HOMES)[number];

export interface ServedHome extends AsyncDisposable {
  served: Served;
  folder: TempFolder;
  project: string;
  home: string;
}

/** Serves a copy of the example, so that screenshots do not show where they were taken, or the large home. */
export async function serveHome(
  name: HomeName,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<ServedHome> {
  const isExample = name === 'the example';
  const folder = tempFolder(isExample ? { 'bookshop/.git/HEAD': 'ref: refs/heads/main\n' } : largeHome());
  if (isExample)
    for (const dir of ['bookshop', 'home'])
      fs.cpSync(path.join(PACKAGE_DIR, 'examples', dir), folder.at(dir), { recursive: true });
  const project = folder.at(isExample ? 'bookshop' : 'project');
  const home = folder.at('home');
  const served = await serve(['web', '--project-dir', project, '--user-dir', home, ...args], env);
  return {
    served,
    folder,
    project,
    home,
    [Symbol.asyncDispose]: async () => {
      await served.stop();
      folder[Symbol.dispose]();
    },
  };
}
