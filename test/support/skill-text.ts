/** A SKILL.md that reads well, with whatever a test wants to say differently. */
export interface SkillTextOptions {
  name: string;
  description?: string;
  body?: string;
  /** Further lines of frontmatter, as they are. */
  more?: readonly string[];
}

export function skillText({
  name,
  description = `What ${name} is for`,
  body = `# ${name}\n\nDo the work.\n`,
  more = [],
}: SkillTextOptions): string {
  return ['---', `name: ${name}`, `description: ${description}`, ...more, '---', '', body].join('\n');
}
