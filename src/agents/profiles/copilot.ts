import { FLAWS } from '../../skills/file-facts.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Copilot CLI 1.0.102' });

export const copilot: Profile = {
  id: 'copilot',
  name: 'Copilot CLI',
  version: '1.0.102',
  traces: { home: ['.copilot'], project: ['.github/skills', '.github/copilot-instructions.md'], commands: ['copilot'] },
  places: [
    place('project', '.github/skills', 0),
    place('project', '.agents/skills', 0, { among: 0 }),
    place('project', '.claude/skills', 0, { among: 1 }),
    place('home', '.copilot/skills', 1),
    place('home', '.agents/skills', 1),
  ],
  above: 'everything-without-git',
  walk: {
    deepest: Number.POSITIVE_INFINITY,
    shallowest: 0,
    hidden: false,
    nodeModules: true,
    insideSkills: false,
    linkedFiles: false,
    anyCase: false,
    unknown: ['insideSkills', 'linkedFiles', 'anyCase'],
  },
  reading: {
    name: 'frontmatter-or-folder',
    nameMax: 64,
    nameWithout: /\s/gu,
    nameRefuses: { pattern: /[:/]|\P{ASCII}/u, named: 'a colon, a slash or a character that is not ASCII' },
    numberName: 'refused',
    refusesEmptyName: true,
    description: 'or-first-paragraph',
    descriptionLimit: 1_024,
    breaks: 'trimmed',
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'ranked',
  order: 'folder-name',
  builtInLast: true,
  rootAlone: true,
  manual: 'honored',
  manualForms: ['true', 'text', 'yes'],
  paths: 'ignored',
  // With the heading before the names, 5,000 characters.
  budget: { kind: 'first-whole', unit: 'characters', limit: 15_000, nameLimit: 4_954 },
  builtIn: [
    { name: 'customize-cloud-agent', characters: 329, fixed: false },
    { name: 'github-pr-media', characters: 216, fixed: false },
  ],
  facts: {
    places: observed(
      'reads .agents/skills, .claude/skills and .github/skills from the working folder to the repository root, without git also above it, and .copilot/skills and .agents/skills in the home, at any depth; a SKILL.md directly in one of them is its only skill',
    ),
    copies: observed('the nearest copy, the project before the home, .agents/skills before .claude/skills'),
    files: observed(
      'drops a description of more than 1,024 characters and a name with a colon, a slash, a character that is not ASCII or more than 64 characters; without a description, the first paragraph of the body stands for it; drops a name or description without a value',
    ),
    budget: observed(
      'the list has 15,000 characters of entries with their line breaks; the rest are names alone, for which it has 5,000 characters with their heading; the others are dropped',
    ),
    settings: observed('disable-model-invocation is honored, also as yes and "true"; paths change nothing'),
  },
};
