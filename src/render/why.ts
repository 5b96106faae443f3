import type { WhyOutput } from '../operations/why.ts';
import { paintStatus, STATUS_WORDS } from './agents-here.ts';
import { safe, type Style } from './style.ts';
import { padEnd, widthOf, wrap } from './width.ts';

const WIDTH = 80;

const SOURCES: Readonly<Record<string, string>> = {
  observed: 'observed with',
  'source code': 'read in the source of',
  documents: 'read in the',
};

/** Renders one line for each agent, then the details: the places it searches, the fix, and our source. */
export function renderWhy({ name, unlisted, agents }: WhyOutput, style: Style): string {
  if (agents.length === 0)
    return `${style.bold(safe(name))}: no agent found here.\n\n${style.dim('Preview one anyway:')} lectern why ${safe(name)} --agent claude\n`;
  const columns = Math.max(...agents.map(({ title }) => widthOf(title)));
  const words = Math.max(...agents.map(({ status }) => STATUS_WORDS[status].length));
  const lines = agents.map(({ title, status, reason }) => {
    const word = paintStatus(status, style, padEnd(STATUS_WORDS[status], words));
    return `${padEnd(title, columns)}  ${word}  ${style.say(reason)}`;
  });
  const details = agents.flatMap(({ title, chain, fix, source, status, path }) => {
    const shown = chain.filter(({ found }) => found);
    const places = (shown.length > 0 ? shown : chain).map(({ path: dir, found, used }) => {
      const state = used ? style.green('used') : found ? 'found, not used' : style.dim('not found');
      return `  ${style.place(dir)}  ${state}`;
    });
    return [
      '',
      `${style.bold(title)} ${style.dim(shown.length > 0 ? 'finds it in' : 'looks in')}`,
      ...places,
      ...(fix === undefined || status === 'seen' ? [] : [`  ${style.dim('fix:')} ${style.say(fix)}`]),
      ...(shown.length > 0 ? [] : [`  ${style.dim('it is in')} ${style.place(path)}`]),
      style.dim(
        wrap(`${SOURCES[source.source] ?? 'known from'} ${source.version}: ${source.fact}`, '  ', style.width ?? WIDTH),
      ),
    ];
  });
  const note = unlisted === undefined ? [] : ['', `${style.dim('lectern list leaves it out:')} ${style.say(unlisted)}`];
  return `${style.bold(safe(name))}\n\n${[...lines, ...note, ...details].join('\n')}\n`;
}
