import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { documented } from './documented.ts';

export const goose: Profile = documented({
  id: 'goose',
  name: 'Goose',
  traces: { home: ['.config/goose'], project: ['.goose', '.goosehints'], commands: ['goose'] },
  places: [
    place('home', '.agents/skills', 0),
    place('working', '.agents/skills', 0),
    place('working', '.goose/skills', 0),
    place('working', '.claude/skills', 0),
    place('home', '.claude/skills', 0),
    place('home', '.config/goose/skills', 0),
    place('home', '.config/agents/skills', 0),
  ],
  source: { source: 'documents', version: 'Goose documentation, August 2026' },
});
