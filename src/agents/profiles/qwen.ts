import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { documented } from './documented.ts';

export const qwen: Profile = documented({
  id: 'qwen',
  name: 'Qwen Code',
  traces: { home: ['.qwen'], project: ['.qwen'], commands: ['qwen'] },
  places: [place('working', '.qwen/skills', 0), place('home', '.qwen/skills', 0)],
  source: { source: 'source code', version: 'the skills package 1.7.4' },
});
