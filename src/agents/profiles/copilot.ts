import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { documented } from './documented.ts';

export const copilot: Profile = documented({
  id: 'copilot',
  name: 'Copilot CLI',
  traces: { home: ['.copilot'], project: ['.github/skills', '.github/copilot-instructions.md'], commands: ['copilot'] },
  places: [
    place('working', '.github/skills', 0),
    place('working', '.agents/skills', 0),
    place('working', '.claude/skills', 0),
    place('home', '.copilot/skills', 0),
    place('home', '.agents/skills', 0),
  ],
  source: { source: 'documents', version: 'Copilot documents of August 2026' },
});
