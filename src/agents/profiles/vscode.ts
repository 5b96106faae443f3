import { place } from '../places.ts';
import { PLAIN_WALK, type Profile } from '../profile.ts';
import { documented } from './documented.ts';

export const vscode: Profile = documented({
  id: 'vscode',
  name: 'VS Code',
  traces: { home: ['.vscode'], project: ['.vscode'], commands: ['code'] },
  places: [
    place('working', '.github/skills', 0),
    place('working', '.agents/skills', 0),
    place('working', '.claude/skills', 0),
    place('home', '.copilot/skills', 0),
    place('home', '.agents/skills', 0),
    place('home', '.claude/skills', 0),
  ],
  source: { source: 'source code', version: 'VS Code, August 2026' },
  more: { manual: 'honored', walk: { ...PLAIN_WALK, anyCase: true } },
  settings: 'disable-model-invocation and user-invocable are honored',
});
