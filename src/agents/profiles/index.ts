/** All profiles. To add one, add a file to this folder and a line here. Other agents of the catalog get a profile with their folders. */
import { OTHER_AGENTS } from '../../skills/roots/agents.ts';
import { place } from '../places.ts';
import type { Profile } from '../profile.ts';
import { amp } from './amp.ts';
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { continueCli } from './continue.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { documented } from './documented.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { kilo } from './kilo.ts';
import { kimi } from './kimi.ts';
import { kiro } from './kiro.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';
import { roo } from './roo.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';

const KNOWN = [
  claude,
  codex,
  gemini,
  opencode,
  cursor,
  vscode,
  copilot,
  goose,
  amp,
  windsurf,
  kiro,
  qwen,
  roo,
  pi,
  kilo,
  kimi,
  cline,
  continueCli,
];

const placesOnly = OTHER_AGENTS.filter(({ name }) => !KNOWN.some(({ id }) => id === name)).map(
  ({ name, title, project, user, homeVariable }): Profile =>
    documented({
      id: name,
      name: title,
      traces: {
        home: user.map((below) => below.slice(0, below.lastIndexOf('/'))),
        project: project.map((below) => below.slice(0, below.lastIndexOf('/'))),
        commands: [],
      },
      places: [
        ...project.map((below) => place('working', below, 0)),
        ...user.map((below) => place('home', below, 0, homeVariable ? { variable: homeVariable } : {})),
      ],
      source: { source: 'source code', version: 'the skills package 1.7.4' },
    }),
);

export const PROFILES: readonly Profile[] = [...KNOWN, ...placesOnly];
