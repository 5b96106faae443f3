import { FLAWS } from '../../skills/file-facts.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Pi 0.87.1' });

export const pi: Profile = {
  id: 'pi',
  name: 'Pi',
  version: '0.87.1',
  traces: { home: ['.pi'], project: ['.pi'], commands: ['pi'] },
  places: [
    place('working', '.pi/skills', 0),
    place('project', '.agents/skills', 0),
    place('home', '.pi/agent/skills', 1),
    place('home', '.agents/skills', 1),
  ],
  above: 'everything-without-git',
  walk: {
    deepest: Number.POSITIVE_INFINITY,
    shallowest: 0,
    hidden: false,
    nodeModules: false,
    insideSkills: false,
    linkedFiles: true,
    anyCase: false,
    unknown: ['anyCase'],
  },
  reading: {
    name: 'frontmatter-or-folder',
    numberName: 'folder',
    description: 'required',
    breaks: 'kept',
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'ranked',
  order: 'folder',
  rootAlone: true,
  manual: 'honored',
  manualForms: ['true'],
  paths: 'ignored',
  budget: { kind: 'none', unit: 'characters' },
  builtIn: [],
  settings: 'pi',
  facts: {
    places: observed(
      'reads .pi/skills in the working folder, .agents/skills from there to the repository root, without git also above it, and .pi/agent/skills and .agents/skills in the home, at any depth; a SKILL.md directly in one of them is its only skill; it does not read .claude/skills',
    ),
    copies: observed('the nearest copy, the project before the home'),
    files: observed('requires a description; without a name, the folder stands for it'),
    budget: observed('1,000 skills with descriptions of 200 characters are listed whole'),
    settings: observed(
      'disable-model-invocation is honored as true only; the skills of a project count once the project is trusted',
    ),
  },
};
