import { FLAWS } from '../../skills/file-facts.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Continue 1.5.47' });

/** Not named `continue`, which is a keyword. */
export const continueCli: Profile = {
  id: 'continue',
  name: 'Continue',
  version: '1.5.47',
  traces: { home: ['.continue'], project: ['.continue'], commands: ['cn'] },
  places: [
    place('working', '.continue/skills', 0),
    place('working', '.claude/skills', 0),
    place('home', '.continue/skills', 1),
  ],
  above: 'nothing-without-git',
  walk: {
    deepest: 1,
    shallowest: 1,
    hidden: false,
    nodeModules: false,
    insideSkills: false,
    linkedFiles: true,
    linkedFolders: false,
    anyCase: false,
    unknown: ['shallowest', 'hidden', 'nodeModules', 'anyCase'],
  },
  reading: {
    name: 'frontmatter',
    numberName: 'refused',
    description: 'required',
    breaks: 'kept',
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'all',
  order: 'unknown',
  manual: 'ignored',
  paths: 'ignored',
  budget: { kind: 'none', unit: 'characters' },
  builtIn: [],
  facts: {
    places: observed(
      'reads .continue/skills and .claude/skills in the working folder and .continue/skills in the home, one level deep and without links to folders; it does not read .agents/skills',
    ),
    copies: observed('copies with the same name are all listed'),
    files: observed('requires a name that is text and a description'),
    budget: observed(
      '1,000 skills with descriptions of 200 characters are listed whole, in an order that changes from run to run',
    ),
    settings: observed('disable-model-invocation and paths change nothing'),
  },
};
