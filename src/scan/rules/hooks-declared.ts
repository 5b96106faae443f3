import type { YamlValue } from '../../core/frontmatter/yaml-value.ts';
import { type Hit, scanRule } from '../rule.ts';
import { isSkillPath } from '../../skills/skill.ts';
import type { TextFile } from '../text-file.ts';

export const hooksDeclared = scanRule({
  code: 'hooks-declared',
  category: 'auto-exec',
  level: 'high',
  nature: 'fact',
  title: 'Skill with hooks',
  about:
    'Hooks in the frontmatter run shell commands automatically whenever the agent uses a tool, without approval by the model or the user. Lectern never runs them.',
  fix: 'Remove the hooks, and describe the step in the instructions.',
  bad: 'hooks:\n  PostToolUse:\n    - matcher: Write\n      hooks:\n        - type: command\n          command: ./format.sh',
  good: 'license: MIT',
  *find({ texts }) {
    for (const file of texts) if (isSkillPath(file.path)) yield* findHooks(file);
  },
});

/** Matches hooks that do more than format or check the project's files. */
const REACHES_OUT =
  /\b(?:curl|wget|nc|ncat|base64|eval|python[\d.]* -c|node -e|bash -c|sh -c|ssh|scp|iwr|irm|rm -r|chmod|sudo)\b|~\/|\$home|\$\{home|https?:|\/tmp\//u;

function* findHooks({ frontmatter, path, text }: TextFile): Iterable<Hit> {
  const hooks = frontmatter?.data['hooks'];
  const line = frontmatter?.lines.get('hooks');
  if (hooks === undefined || hooks === null || line === undefined) return;
  const commands = commandsIn(hooks);
  const first = commands[0] ?? '';
  const below =
    first === ''
      ? -1
      : text
          .split('\n', 2_000)
          .findIndex((each, index) => index >= line - 1 && each.includes(first.split('\n')[0] ?? first));
  const level = commands.some((command) => REACHES_OUT.test(command.toLowerCase())) ? 'high' : 'medium';
  yield {
    path,
    line: below === -1 ? line : below + 1,
    level,
    message:
      commands.length === 0
        ? 'declares hooks'
        : `declares ${commands.length === 1 ? 'a hook that runs' : `${commands.length} hooks that run`} automatically`,
    evidence: first === '' ? 'hooks:' : first.slice(0, 160),
  };
}

function commandsIn(value: YamlValue, key = ''): string[] {
  if (typeof value === 'string') return key === 'command' || key === 'run' || key === 'bash' ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => commandsIn(each, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => commandsIn(each, name));
}
