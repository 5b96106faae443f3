import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { documented } from './documented.ts';

export const kiro: Profile = documented({
  id: 'kiro',
  name: 'Kiro',
  traces: { home: ['.kiro'], project: ['.kiro'], commands: ['kiro'] },
  places: [place('working', '.kiro/skills', 0), place('home', '.kiro/skills', 0)],
  source: { source: 'source code', version: 'the skills package 1.7.4' },
});
