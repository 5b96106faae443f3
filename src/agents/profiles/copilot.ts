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
    place('project', '.github/skills', 0, { part: 0 }),
    place('project', '.agents/skills', 0, { part: 0, among: 0 }),
    place('project', '.claude/skills', 0, { part: 0, among: 1 }),
    place('home', '.copilot/skills', 1, { part: 0 }),
    place('home', '.agents/skills', 1, { part: 0 }),
  ],
  above: 'everything-without-git',
  walk: {
    deepest: Number.POSITIVE_INFINITY,
    shallowest: 1,
    hidden: false,
    nodeModules: true,
    insideSkills: false,
    linkedFiles: false,
    anyCase: false,
    unknown: ['shallowest', 'insideSkills', 'linkedFiles', 'anyCase'],
  },
  reading: {
    name: 'frontmatter-or-folder',
    nameMax: 64,
    nameWithout: /\s/gu,
    nameRefuses: { pattern: /[:/]|\P{ASCII}/u, named: 'a colon, a slash or a character that is not ASCII' },
    numberName: 'refused',
    description: 'or-first-paragraph',
    descriptionLimit: 1_024,
    breaks: 'kept',
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'ranked',
  order: 'name',
  manual: 'honored',
  manualForms: ['true', 'text', 'yes'],
  paths: 'ignored',
  budget: { kind: 'first-whole', unit: 'characters', limit: 15_000 },
  builtIn: [],
  facts: {
    places: observed(
      'reads .agents/skills, .claude/skills and .github/skills from the working folder to the repository root, without git also above it, and .copilot/skills and .agents/skills in the home, at any depth',
    ),
    copies: observed('the nearest copy, the project before the home, .agents/skills before .claude/skills'),
    files: observed(
      'drops a description of more than 1,024 characters and a name with a colon, a slash, a character that is not ASCII or more than 64 characters; without a description, the first paragraph of the body stands for it',
    ),
    budget: observed('the list has 15,000 characters of entries with their line breaks; the rest are names alone'),
    settings: observed('disable-model-invocation is honored, also as yes and "true"; paths change nothing'),
  },
};
