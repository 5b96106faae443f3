import { type Hit, matchesIn, scanRule } from '../rule.ts';
import type { TextFile } from '../text-file.ts';

export const packageLookalike = scanRule({
  code: 'package-lookalike',
  category: 'supply-chain',
  level: 'high',
  nature: 'action',
  title: 'Package name similar to a known one',
  about:
    'Attackers register misspelled names of popular packages. One letter added, removed or swapped is enough to install a different package.',
  fix: 'Correct the name, or explain why this package is intended.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/setup.sh': 'pip install reqeusts' },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/setup.sh': 'pip install requests' },
  *find({ texts }) {
    for (const file of texts) {
      for (const place of matchesIn(file, INSTALL)) yield* inCommand(place);
      if (/(?:^|\/)requirements[\w.-]*\.txt$/u.test(file.path))
        for (const place of matchesIn(file, /^([a-z][\w.-]{2,60})(?=[=<>~!\s[;]|$)/gmu))
          yield* named(place, place.match[1] ?? '');
      if (/(?:^|\/)package\.json$/u.test(file.path))
        for (const place of matchesIn(file, /"([a-z@][\w./-]{2,60})"\s{0,3}:\s{0,3}"[\^~>=\d*]/gu))
          yield* named(place, place.match[1] ?? '');
    }
  },
});

const INSTALL =
  /\b(?:pip3?|pipx|uv pip|python3? -m pip|uv|npm|pnpm|yarn|bun|npx|bunx|uvx|gem|cargo) (?:install|add|i|exec|dlx)?((?: {1,2}["']?[@\w][\w@/.=<>~^[\],-]{1,80}["']?| {1,2}-{1,2}[\w-]{1,30}){1,12})/gu;

/** Packages so popular that similar names are suspicious. */
const KNOWN = [
  'requests',
  'numpy',
  'pandas',
  'urllib3',
  'setuptools',
  'cryptography',
  'beautifulsoup4',
  'selenium',
  'matplotlib',
  'tensorflow',
  'pillow',
  'django',
  'flask',
  'fastapi',
  'pydantic',
  'sqlalchemy',
  'openai',
  'anthropic',
  'langchain',
  'playwright',
  'pytest',
  'openpyxl',
  'pdfplumber',
  'python-docx',
  'python-dateutil',
  'colorama',
  'discord.py',
  'boto3',
  'scikit-learn',
  'lodash',
  'express',
  'react',
  'react-dom',
  'typescript',
  'axios',
  'chalk',
  'commander',
  'webpack',
  'eslint',
  'prettier',
  'next',
  'vite',
  'jquery',
  'moment',
  'dotenv',
  'mongoose',
  'puppeteer',
  'socket.io',
  'electron',
  'cross-env',
  'node-fetch',
  'uuid',
  'zod',
  'prisma',
  'vitest',
  'nodemailer',
  'jsonwebtoken',
  'bcrypt',
  'cors',
  'web3',
  'ethers',
  'crypto-js',
  'sharp',
  'pdf-lib',
  'pptxgenjs',
  'docx',
];
const KNOWN_SET = new Set(KNOWN);
/** Legitimate packages with similar names. */
const HONEST = new Set([
  'eclint',
  'preact',
  'request',
  'requests2',
  'expresso',
  'chalks',
  'nest',
  'vitest',
  'vite',
  'nuxt',
  'text',
  'boto',
  'flask2',
  'lodash-es',
  'uuidv4',
  'uuid4',
  'web',
  'shark',
  'docs',
  'doc',
  'pandoc',
  'pytest',
  'zed',
  'core',
  'eslint_d',
  'pillow-simd',
  'bcryptjs',
  'prettierd',
  'typescripts',
  'elections',
  'momentum',
  'moments',
  'cor',
  'nextra',
  'ext',
  'test',
  'reacts',
]);

function* inCommand(place: { file: TextFile; start: number; end: number; match: RegExpExecArray }): Iterable<Hit> {
  for (const word of (place.match[1] ?? '').split(/\s+/u)) yield* named(place, word.replace(/^["']|["']$/gu, ''));
}

function* named({ file, start, end }: { file: TextFile; start: number; end: number }, word: string): Iterable<Hit> {
  if (word.startsWith('-') || word.startsWith('@')) return;
  const name = word.replace(/[=<>~^[@,][^]*/u, '');
  const real = lookAlike(name);
  if (real !== undefined)
    yield { file, start, end, level: 'high', message: `the package name ${name} is very similar to ${real}` };
}

function lookAlike(name: string): string | undefined {
  if (name.length < 5 || KNOWN_SET.has(name) || HONEST.has(name)) return undefined;
  return KNOWN.find((real) => real.length >= 5 && Math.abs(real.length - name.length) <= 1 && isNear(name, real));
}

/** Whether the names differ by one letter added, removed or replaced, or by two neighbors swapped. */
function isNear(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a.charAt(at) === b.charAt(at)) at += 1;
  const same = (from: number, of: number): boolean => a.slice(from) === b.slice(of);
  return (
    same(at + 1, at) ||
    same(at, at + 1) ||
    (a.length >= 8 && same(at + 1, at + 1)) ||
    (a.charAt(at) === b.charAt(at + 1) && a.charAt(at + 1) === b.charAt(at) && same(at + 2, at + 2))
  );
}
