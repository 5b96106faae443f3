import { matchesIn, scanRule } from '../rule.ts';
import { isSkillPath } from '../../skills/skill.ts';

export const commandExpanded = scanRule({
  code: 'command-expanded',
  category: 'auto-exec',
  level: 'high',
  hints: ['!`'],
  nature: 'action',
  title: 'Command runs while the skill is loaded',
  about:
    'Claude Code runs a command written as an exclamation mark and backticks before the model sees the text. Commands that only read the state of the repository are low. Lectern serves the text unchanged and never runs it.',
  fix: 'Ask the agent to run the command instead.',
  bad: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nState: !`./collect.sh`',
  good: '---\nname: pdf\ndescription: Fills in PDF forms\n---\n\nRun `./collect.sh` and read the state.',
  *find({ texts }) {
    for (const file of texts) {
      if (!isSkillPath(file.path)) continue;
      for (const place of matchesIn(file, EXPANDED)) {
        const command = place.match[1] ?? '';
        const level =
          READS.test(command) && !/[;&|>$`]/u.test(command) ? 'low' : REACHES_OUT.test(command) ? 'high' : 'medium';
        yield { ...place, level, message: 'runs a command before the model or the user sees the text' };
      }
    }
  },
});

const EXPANDED = /(?<![`\w!])!`([^`\n]{2,400})`(?!`)/gu;
const READS =
  /^\s*(?:git (?:status|diff|log|branch|show|rev-parse|remote -v|config --get|ls-files|describe)|gh (?:pr|issue|repo) (?:view|diff|list|status)|ls|pwd|date|whoami|cat (?:package\.json|readme\.md|\.?\/?[\w/-]+\.md)|node --version|npm ls|uname)\b/u;
const REACHES_OUT =
  /\b(?:curl|wget|nc|base64|eval|python[\d.]*|node|bash|sh|ssh|scp|iwr|irm|rm|chmod|sudo|printenv|env)\b|~\/|\.(?:sh|py|js|rb|pl|ps1)\b|\$home|>/u;
