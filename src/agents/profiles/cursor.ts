import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { documented } from './documented.ts';

/** Cursor reads the folders of other agents by default. Its settings can disable them. */
export const cursor: Profile = documented({
  id: 'cursor',
  name: 'Cursor',
  traces: { home: ['.cursor'], project: ['.cursor', '.cursorrules'], commands: ['cursor', 'cursor-agent'] },
  places: [
    place('working', '.agents/skills', 0),
    place('working', '.cursor/skills', 0),
    place('home', '.agents/skills', 0),
    place('home', '.cursor/skills', 0),
    place('working', '.claude/skills', 0),
    place('working', '.codex/skills', 0),
    place('home', '.claude/skills', 0),
    place('home', '.codex/skills', 0),
  ],
  source: { source: 'documents', version: 'Cursor documentation, October 2026' },
  more: { manual: 'honored', paths: 'honored' },
  settings: 'disable-model-invocation and paths are honored',
});
