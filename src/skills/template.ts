/** The template of a new skill. Its sentences are placeholders, and a rule reports those that are left. */
import { nameAsYaml } from './valid-name.ts';

const PURPOSE = 'Say in one or two sentences what this skill is for.';
const STEPS = [
  'Describe the first step as you would to a colleague who is new to the project.',
  'Name the commands to run and what they should print.',
  'Say how to tell that the work is done.',
];
const NOTE =
  'Keep this file short; put long material into files beside it, such as references/details.md, and name them here.';

/** Returns the text of a new `SKILL.md`. */
export function skillTemplate(name: string, description: string = templateDescription(name)): string {
  const words = name.replaceAll('-', ' ');
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return `---
name: ${nameAsYaml(name)}
description: ${JSON.stringify(description)}
---

# ${title}

${PURPOSE}

## Steps

${STEPS.map((step, index) => `${index + 1}. ${step}`).join('\n')}

## Notes

- ${NOTE}
`;
}

/** Returns the description of a new skill that was created without one. */
export function templateDescription(name: string): string {
  const words = name.replaceAll('-', ' ');
  return `Explains how to do ${words} in this project. Use when the task is about ${words}.`;
}

const SENTENCES: ReadonlySet<string> = new Set([PURPOSE, ...STEPS]);

/** Whether a line of the body is a sentence of the template, with or without a list marker. The note is advice that may stay. */
export function isTemplateLine(line: string): boolean {
  return SENTENCES.has(line.trim().replace(/^(?:\d{1,3}\.|[-*])[ \t]+/u, ''));
}
