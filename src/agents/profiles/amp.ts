import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { documented } from './documented.ts';

export const amp: Profile = documented({
  id: 'amp',
  name: 'Amp',
  traces: { home: ['.config/amp'], project: ['.amp'], commands: ['amp'] },
  places: [place('working', '.agents/skills', 0), place('home', '.config/agents/skills', 0)],
  source: { source: 'source code', version: 'the skills package 1.7.4' },
});
