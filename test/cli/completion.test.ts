import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLI, lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

const FILES = {
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', body: 'Another way.' }),
  'project/.claude/skills/xlsx/SKILL.md': skillText({ name: 'xlsx' }),
  'project/.claude/skills/odd/SKILL.md': skillText({ name: '"it\'s odd; rm -rf x"' }),
  'project/.claude/skills/evil/SKILL.md': skillText({ name: '"$(touch MARKER)"' }),
  'project/.claude/skills/evil2/SKILL.md': skillText({ name: '`touch MARKER`' })
    .replace('name: `', 'name: "`')
    .replace('`\ndesc', '`"\ndesc'),
  'project/.claude/skills/evil3/SKILL.md': skillText({ name: '"{a,b}*"' }),
};

/** Puts a `lectern` on the path, so that a script can be tried as it is installed. */
function shellIn(folder: TempFolder, shell: string, script: string) {
  folder.write({ 'bin/lectern': `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n` });
  fs.chmodSync(folder.at('bin/lectern'), 0o755);
  fs.mkdirSync(folder.at('home'), { recursive: true });
  return spawnSync(shell, ['-c', script], {
    cwd: folder.at('project'),
    env: { PATH: `${folder.at('bin')}:${process.env['PATH'] ?? ''}`, HOME: folder.at('home'), LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  });
}

/** Asks bash as Readline would, with the words as bash breaks them. */
function bashCompletes(folder: TempFolder, words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `set -e; source <(lectern completion bash); complete -p lectern >/dev/null; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _lectern_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = shellIn(folder, 'bash', script);
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

describe.skipIf(!has('bash'))('in bash', () => {
  test.each([
    { words: ['lectern', 'sho'], gives: ['show'] },
    { words: ['lectern', 'completion', ''], gives: ['bash', 'fish', 'powershell', 'zsh'] },
    { words: ['lectern', 'show', 'xl'], gives: ['xlsx'] },
    { words: ['lectern', 'disable', 'xlsx', 'XL'], gives: ['xlsx'] },
    { words: ['lectern', 'show', 'cod'], gives: ['codex:pdf'] },
    { words: ['lectern', 'show', 'codex', ':'], gives: ['pdf'] },
    { words: ['lectern', 'show', 'codex', ':', 'p'], gives: ['pdf'] },
    { words: ['lectern', 'show', 'claude:p'], gives: ['pdf'] },
    { words: ['lectern', 'list', '--incl'], gives: ['--include'] },
    { words: ['lectern', 'validate', '--profile', 'c'], gives: ['claude', 'cline', 'codex', 'continue', 'copilot'] },
    { words: ['lectern', 'show', 'nothing-like-it'], gives: [] },
  ])('$words completes to $gives', ({ words, gives }) => {
    using folder = tempFolder(FILES);
    expect(bashCompletes(folder, words)).toEqual(gives);
  });

  test('a name can hold anything, and none of it is run: it comes back quoted', () => {
    using folder = tempFolder(FILES);
    const given = bashCompletes(folder, ['lectern', 'show', '']);
    expect(fs.readdirSync(folder.at('project'))).toEqual(['.claude', '.codex']);
    expect(given).toEqual(
      expect.arrayContaining([
        '\\$\\(touch\\ MARKER\\)',
        "it\\'s\\ odd\\;\\ rm\\ -rf\\ x",
        '\\`touch\\ MARKER\\`',
        '\\{a\\,b\\}\\*',
      ]),
    );
    expect(given).toHaveLength(7);
  });
});

describe.skipIf(!has('zsh'))('in zsh', () => {
  test('the script loads', () => {
    using folder = tempFolder(FILES);
    expect(
      shellIn(folder, 'zsh', 'autoload -U compinit; compinit -u; source <(lectern completion zsh); whence _lectern'),
    ).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});

describe.skipIf(!has('fish'))('in fish', () => {
  test('the script loads and completes a name', () => {
    using folder = tempFolder(FILES);
    const { status, stdout } = shellIn(
      folder,
      'fish',
      'lectern completion fish | source; complete -C "lectern show xl"',
    );
    expect([status, stdout.trim()]).toEqual([0, 'xlsx']);
  });
});

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'there is a script for %s, and --json holds it whole',
  async (shell) => {
    using folder = tempFolder();
    const plain = await lectern(folder, ['completion', shell]);
    const json = await lectern(folder, ['completion', shell, '--json']);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({ shell, script: plain.stdout });
  },
);

test('another shell is a failure with the names of those there are', async () => {
  using folder = tempFolder();
  expect(await lectern(folder, ['completion', 'fsh'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('fish'),
  });
});

test('a shell that completes gets silence where something is wrong', async () => {
  using folder = tempFolder({ 'project/.lectern/config.json': '{' });
  expect(await lectern(folder, ['__complete', '--', 'show', ''])).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

describe('the names offered are those that the command can use', () => {
  const FOLDER = {
    'project/skills/here/SKILL.md': skillText({ name: 'here' }),
    'project/skills/hidden/.SKILL.md': skillText({ name: 'hidden' }),
    'other/skills/there/SKILL.md': skillText({ name: 'there' }),
    'other/openspec/specs/auth/spec.md': '# auth\n',
    'more/extra/SKILL.md': skillText({ name: 'extra' }),
  };
  test.each([
    [['enable', ''], ['hidden']],
    [['disable', ''], ['here']],
    [
      ['show', ''],
      ['here', 'hidden'],
    ],
    [['--project-dir', '../other', 'show', ''], ['there']],
    [['show', '--project-dir=../other', ''], ['there']],
    [['spec', '--project-dir', '../other', 'show', ''], ['auth']],
    [['show', '--skill-dir', '../more', '--no-scan-default-dirs', ''], ['extra']],
    // The value of a flag is no command.
    [['--project-dir', 'list', 'sho'], ['show']],
    [['show', '--project-dir', ''], []],
    [['spec', '--json', 'li'], ['list']],
    [['help', 'comp'], ['completion']],
  ])('%j', async (words, offered) => {
    using folder = tempFolder(FOLDER);
    const { stdout, code } = await lectern(folder, ['__complete', '--', ...words]);
    expect([code, stdout.split('\n').filter((line) => line !== '')]).toEqual([0, offered]);
  });
});

describe('requirement names', () => {
  const scenario = '#### Scenario: S\n- **WHEN** a\n- **THEN** b\n';
  const change = `## MODIFIED Requirements\n### Requirement: Guest checkout\nIt SHALL be.\n${scenario}`;
  const SPECS = {
    'project/openspec/specs/checkout/spec.md': `# C\n\n## Purpose\nPay.\n\n## Requirements\n### Requirement: Guest checkout\nIt SHALL be.\n${scenario}\n### Requirement: $(touch MARKER)\nIt SHALL be.\n${scenario}`,
    'project/openspec/specs/search/spec.md': `# S\n\n## Purpose\nFind.\n\n## Requirements\n### Requirement: Filters\nIt SHALL be.\n${scenario}`,
    'project/openspec/changes/one/specs/checkout/spec.md': change,
    'project/openspec/changes/two/specs/checkout/spec.md': change,
  };
  const completed = async (folder: TempFolder, ...words: string[]): Promise<string[]> =>
    (await lectern(folder, ['__complete', '--', ...words])).stdout.split('\n').filter((line) => line !== '');

  test('are offered after the spec that has them, and where a flag takes one', async () => {
    using folder = tempFolder(SPECS);
    expect(await completed(folder, 'spec', 'show', 'checkout', '')).toEqual(['$(touch MARKER)', 'Guest checkout']);
    expect(await completed(folder, 'spec', 'show', 'checkout', 'guest ch')).toEqual(['Guest checkout']);
    expect(await completed(folder, 'spec', 'show', 'search', '')).toEqual(['Filters']);
    expect(await completed(folder, 'spec', 'show', 'search', 'Filters', '')).toEqual([]);
    expect(await completed(folder, 'change', 'overlap', '--requirement', '')).toEqual(['Guest checkout']);
    expect(await completed(folder, 'change', 'overlap', 'one', '')).toEqual(['one', 'two']);
  });

  test.skipIf(!has('bash'))('are quoted in bash, also after a part that is quoted already', () => {
    using folder = tempFolder(SPECS);
    const words = ['lectern', 'spec', 'show', 'checkout'];
    expect(bashCompletes(folder, [...words, 'Gu'])).toEqual(['Guest\\ checkout']);
    expect(bashCompletes(folder, [...words, 'Guest\\ ch'])).toEqual(['Guest\\ checkout']);
    expect(bashCompletes(folder, [...words, '$'])).toEqual(['\\$\\(touch\\ MARKER\\)']);
    expect(fs.readdirSync(folder.at('project'))).toEqual(['openspec']);
  });
});
