import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Gemini CLI 0.61.0' });

export const gemini: Profile = {
  id: 'gemini',
  name: 'Gemini CLI',
  version: '0.61.0',
  traces: {
    home: ['.gemini/settings.json', '.gemini/skills'],
    project: ['.gemini', 'GEMINI.md'],
    commands: ['gemini'],
  },
  places: [
    place('home', '.gemini/skills', 3),
    place('home', '.agents/skills', 2),
    place('working', '.gemini/skills', 1),
    place('working', '.agents/skills', 0),
  ],
  extensions: { below: '.gemini/extensions', rank: 4 },
  above: 'nothing-without-git',
  walk: {
    deepest: 1,
    shallowest: 0,
    hidden: false,
    nodeModules: false,
    insideSkills: false,
    linkedFiles: true,
    anyCase: false,
  },
  reading: {
    name: 'frontmatter',
    nameWithout: /[:\\/<>*?"|]/gu,
    description: 'may-be-empty',
    breaks: 'kept',
    refuses: ['byte-order-mark', 'blank-before-fence', 'no-fence', 'unclosed-fence', 'fence-text', 'fence-blank'],
    unknown: [],
    readsLines: true,
  },
  copies: 'best-rank',
  order: 'folder-backwards',
  manual: 'ignored',
  paths: 'ignored',
  budget: { kind: 'none', unit: 'characters' },
  builtIn: [
    { name: 'skill-creator', fixed: true },
    { name: 'antigravity-support', fixed: true },
  ],
  settings: 'gemini',
  facts: {
    places: observed(
      'reads .gemini/skills and .agents/skills in the home and in the working folder, and skills in .gemini/extensions/<extension>, but neither the folders above it nor .claude/skills',
    ),
    copies: observed(
      '.agents/skills wins over .gemini/skills, the working folder over the home, and extensions lose to both',
    ),
    files: observed(
      'requires a name, a description and clean fences; if the YAML is invalid, it uses their lines as text',
    ),
    budget: observed(
      'the list has no limit; within a folder, the order is usually, but not always, reverse alphabetical',
    ),
    settings: {
      fact: 'skills.disabled hides skills by name; the longest rule in trustedFolders.json decides whether the skills of a project are read',
      source: 'source code',
      version: 'Gemini CLI 0.61.0',
    },
  },
};
