import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { documented } from './documented.ts';

export const windsurf: Profile = documented({
  id: 'windsurf',
  name: 'Windsurf',
  traces: { home: ['.codeium/windsurf'], project: ['.windsurf'], commands: ['windsurf'] },
  places: [place('working', '.windsurf/skills', 0), place('home', '.codeium/windsurf/skills', 0)],
  source: { source: 'source code', version: 'the skills package 1.7.4' },
});
