import { type Hit, type ScannedSkill, scanRule } from '../rule.ts';
import type { TextFile } from '../text-file.ts';

export const fileRunsItself = scanRule({
  code: 'file-runs-itself',
  category: 'auto-exec',
  level: 'high',
  nature: 'fact',
  title: 'File that other tools run automatically',
  about:
    'Test runners, package managers, editors and shells run certain files automatically: conftest.py, npm install scripts, setup.py, editor tasks, .envrc. In a skill they can run code that no instruction mentions.',
  fix: 'Remove the file, or rename it and explain in the instructions when to use it.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/package.json': '{ "scripts": { "postinstall": "node collect.js" } }' },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/package.json': '{ "scripts": { "test": "node --test" } }' },
  find: findFiles,
});

/** Actions that harmless files of this kind do not take. */
const ACTS =
  /\b(?:subprocess|os\.system|os\.popen|exec\(|eval\(|urllib|requests\.|httpx|socket\.|child_process|execsync|curl|wget|base64|write_text|open\([^)\n]{1,80}["'][wa]b?["']|shutil\.|path\.home|expanduser|os\.environ)/gu;

function* findFiles({ texts }: ScannedSkill): Iterable<Hit> {
  for (const file of texts) {
    const name = file.path.split('/').at(-1) ?? '';
    if (/^(?:conftest|sitecustomize|usercustomize)\.py$/u.test(name))
      yield acting(file, `${name} runs whenever Python ${name === 'conftest.py' ? 'tests are collected' : 'starts'}`);
    else if (name === 'setup.py') yield* ifActing(file, 'setup.py runs when the package is installed');
    else if (name.endsWith('.pth') && /^[ \t]*import\b/mu.test(file.text))
      yield at(file, /^[ \t]*import\b/mu, 'high', 'a .pth file with code runs whenever Python starts');
    else if (name === 'package.json') yield* npmScripts(file);
    else if (name === '.envrc') yield at(file, /\S/u, 'medium', 'direnv runs this file when a shell enters the folder');
    else if (
      /^(?:\.vscode\/tasks\.json|tasks\.json)$/u.test(file.path.split('/').slice(-2).join('/')) ||
      name === 'tasks.json'
    )
      yield* each(file, /"runon"\s*:\s*"folderopen"/giu, 'the editor runs this task when the folder is opened');
    else if (name === 'devcontainer.json')
      yield* each(
        file,
        /"(?:post\w+command|initializecommand|oncreatecommand)"/giu,
        'the editor runs this command automatically',
      );
    else if (
      /(?:^|\/)(?:\.git\/hooks|\.husky|\.githooks|hooks)\/(?:pre-commit|post-checkout|post-merge|pre-push|commit-msg|post-commit|prepare-commit-msg)$/u.test(
        file.path,
      )
    )
      yield at(file, /\S/u, 'high', 'git runs this hook automatically');
    else if (
      /(?:^|\/)\.(?:claude|cursor|gemini|codex|qwen)\/(?:settings(?:\.local)?\.json|hooks\.json|config\.toml)$/u.test(
        file.path,
      ) ||
      /(?:^|\/)hooks\/hooks\.json$/u.test(file.path)
    )
      yield* each(
        file,
        /"hooks"\s*:|"command"\s*:|^[ \t]*notify\s*=/gmu,
        'an agent that opens this folder runs the command automatically',
      );
    else if (/(?:^|\/)\.?mcp\.json$/u.test(file.path))
      yield* each(file, /"command"\s*:/gu, 'an agent that opens this folder starts this program');
    else if (/^(?:binding\.gyp|extconf\.rb|build\.rs)$/u.test(name))
      yield* ifActing(file, `${name} runs when the package is built`);
  }
}

const NPM_SCRIPT = /"((?:pre|post)?install|prepare|prepack|postpack|prepublish)"\s{0,4}:\s{0,4}"([^"\n]{0,400})/gu;
/** Build steps of ordinary packages. */
const BUILDS =
  /^(?:husky|patch-package|node-gyp|node-pre-gyp|prebuild-install|tsc|tsup|is-ci|npm run build|pnpm build|yarn build)\b/u;
const REACHES_OUT = /\b(?:curl|wget|iwr|base64|eval|node -e|python[\d.]* -c|nc)\b|https?:/u;

/** npm runs install scripts for every package, but the others only when it builds the package. */
function* npmScripts(file: TextFile): Iterable<Hit> {
  for (const found of file.low.matchAll(NPM_SCRIPT)) {
    const [whole, name = '', command = ''] = found;
    const isForBuilders = !name.endsWith('install') || BUILDS.test(command);
    const level = REACHES_OUT.test(command) ? 'high' : isForBuilders ? 'low' : 'high';
    yield {
      file,
      start: found.index,
      end: found.index + whole.length,
      level,
      message: 'npm runs this script automatically',
    };
  }
}

function acting(file: TextFile, message: string): Hit {
  return [...ifActing(file, message)][0] ?? at(file, /\S/u, 'medium', message);
}

function* ifActing(file: TextFile, message: string): Iterable<Hit> {
  const [found] = [...file.low.matchAll(ACTS)];
  if (found) yield { file, start: found.index, end: found.index + found[0].length, level: 'high', message };
}

function at(file: TextFile, pattern: RegExp, level: 'medium' | 'high', message: string): Hit {
  const found = pattern.exec(file.flat);
  const start = found?.index ?? 0;
  return { file, start, end: start + (found?.[0].length ?? 0), level, message };
}

function* each(file: TextFile, pattern: RegExp, message: string): Iterable<Hit> {
  for (const found of file.flat.matchAll(pattern))
    yield { file, start: found.index, end: found.index + found[0].length, level: 'high', message };
}
