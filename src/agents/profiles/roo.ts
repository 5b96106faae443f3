import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { documented } from './documented.ts';

export const roo: Profile = documented({
  id: 'roo',
  name: 'Roo Code',
  traces: { home: ['.roo'], project: ['.roo'], commands: ['roo'] },
  places: [place('working', '.roo/skills', 0), place('home', '.roo/skills', 0)],
  source: { source: 'source code', version: 'the skills package 1.7.4' },
});
