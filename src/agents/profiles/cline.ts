import { FLAWS } from '../../skills/file-facts.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Cline 3.0.65' });

export const cline: Profile = {
  id: 'cline',
  name: 'Cline',
  version: '3.0.65',
  traces: { home: ['.cline'], project: ['.cline', '.clinerules'], commands: ['cline'] },
  places: [
    place('root', '.clinerules/skills', 0),
    place('root', '.cline/skills', 0),
    place('root', '.agents/skills', 0),
    place('home', '.cline/skills', 0),
    place('home', '.agents/skills', 0),
  ],
  above: 'nothing-without-git',
  walk: {
    deepest: 1,
    shallowest: 1,
    hidden: false,
    nodeModules: false,
    insideSkills: false,
    linkedFiles: false,
    anyCase: false,
    unknown: ['shallowest', 'hidden', 'nodeModules', 'linkedFiles', 'anyCase'],
  },
  reading: {
    name: 'frontmatter-or-folder',
    numberName: 'refused',
    description: 'optional',
    breaks: 'kept',
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'unknown',
  order: 'unknown',
  manual: 'ignored',
  paths: 'ignored',
  budget: { kind: 'names', unit: 'characters' },
  builtIn: [],
  facts: {
    places: observed(
      'reads .clinerules/skills, .cline/skills and .agents/skills in the repository root, and .cline/skills and .agents/skills in the home, one level deep; it does not read .claude/skills',
    ),
    copies: observed('one of several copies is listed; which one was not observed'),
    files: observed('lists a file without a name under its folder, and one without a description'),
    budget: observed('the list has only names, in an order that changes from run to run'),
    settings: observed('disable-model-invocation and paths change nothing'),
  },
};
