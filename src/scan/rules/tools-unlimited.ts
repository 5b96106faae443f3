import type { YamlValue } from '../../core/frontmatter/yaml-value.ts';
import { type Hit, scanRule } from '../rule.ts';
import { isSkillPath } from '../../skills/skill.ts';
import type { TextFile } from '../text-file.ts';

export const toolsUnlimited = scanRule({
  code: 'tools-unlimited',
  category: 'broad-permission',
  level: 'medium',
  nature: 'fact',
  title: 'Skill grants itself broad tool access',
  about:
    'Tools in allowed-tools run without confirmation while the skill is active. An asterisk or an unrestricted shell allows everything. Lectern passes the key on as text and grants nothing.',
  fix: 'List only the commands you need, such as Bash(git diff:*).',
  bad: 'allowed-tools: Bash(*)',
  good: 'allowed-tools: Read, Bash(git diff:*)',
  *find({ texts }) {
    for (const file of texts) if (isSkillPath(file.path)) yield* findTools(file);
  },
});

const EVERYTHING = /^(?:\*|all|bash\(\s*(?:(?:\*|:\*|\*:\*)\s*)?\)|shell\(\s*(?:\*\s*)?\)|mcp__\*|.{0,40}\(\*\))$/iu;
const RISKY =
  /^(?:bash|shell)\(\s*(?:sudo|rm|curl|wget|sh|bash|zsh|python[\d.]*|node|perl|ruby|eval|ssh|scp|nc|chmod|chown|dd|powershell|pwsh|docker run|npx|osascript)\b\s*(?:(?::\s*)?\*|\))/iu;

function* findTools({ frontmatter, path }: TextFile): Iterable<Hit> {
  for (const key of ['allowed-tools', 'allowed_tools', 'tools', 'allowedTools']) {
    const value = frontmatter?.data[key];
    if (value === undefined || value === null) continue;
    const line = frontmatter?.lines.get(key);
    for (const tool of toolsIn(value)) {
      const evidence = `${key}: ${tool.slice(0, 100)}`;
      if (EVERYTHING.test(tool))
        yield { path, line, level: 'medium', message: 'allows every command without confirmation', evidence };
      else if (RISKY.test(tool))
        yield {
          path,
          line,
          level: 'medium',
          message: 'allows a command that can do anything, without confirmation',
          evidence,
        };
      else if (/^(?:bash|shell)$/iu.test(tool))
        yield { path, line, level: 'low', message: 'allows the unrestricted shell', evidence };
    }
  }
}

/** Accepts a list, or one string with tools separated by commas or spaces outside parentheses. */
function toolsIn(value: YamlValue): string[] {
  if (Array.isArray(value)) return value.flatMap(toolsIn);
  if (typeof value !== 'string') return [];
  return (value.match(/[^\s,(]{1,200}(?:\([^)]{0,400}\))?/gu) ?? []).map((tool) => tool.trim());
}
