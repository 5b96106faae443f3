import { FLAWS } from '../../skills/file-facts.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Kilo Code 7.7.7' });

const FOLDERS = ['.agents/skills', '.claude/skills', '.kilo/skills', '.kilocode/skills'] as const;

export const kilo: Profile = {
  id: 'kilo',
  name: 'Kilo Code',
  version: '7.7.7',
  traces: {
    home: ['.kilo', '.kilocode', '.config/kilo'],
    project: ['.kilo', '.kilocode'],
    commands: ['kilo', 'kilocode'],
  },
  places: [
    ...FOLDERS.map((below) => place('working', below, 0)),
    ...FOLDERS.map((below) => place('home', below, 0)),
    place('home', '.config/kilo/skills', 0),
  ],
  above: 'not-observed',
  walk: {
    deepest: Number.POSITIVE_INFINITY,
    shallowest: 1,
    hidden: true,
    nodeModules: true,
    insideSkills: true,
    linkedFiles: false,
    anyCase: false,
    unknown: ['shallowest', 'linkedFiles', 'anyCase'],
  },
  reading: {
    name: 'frontmatter',
    numberName: 'refused',
    description: 'may-be-empty',
    breaks: 'kept',
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'unknown',
  order: 'name-everywhere',
  manual: 'ignored',
  paths: 'ignored',
  budget: { kind: 'none', unit: 'characters' },
  builtIn: [{ name: 'kilo-config', fixed: true }],
  facts: {
    places: observed(
      'reads .agents/skills, .claude/skills, .kilo/skills and .kilocode/skills in the home and in the working folder, and .config/kilo/skills in the home, at any depth, also inside other skills; the folders above the working folder were not observed',
    ),
    copies: observed('one of several copies is listed; which one was not observed'),
    files: observed('requires a name that is text and a description, which may be empty'),
    budget: observed(
      '1,000 skills with descriptions of 200 characters are listed whole, sorted by name together with a built-in one',
    ),
    settings: observed('disable-model-invocation and paths change nothing'),
  },
};
