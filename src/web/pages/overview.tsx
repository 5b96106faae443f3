/** The first page: what is here, what needs attention, what each agent sees. */
import { count } from '../../core/text.ts';
import { overview } from '../../operations/overview.ts';
import { Command, SectionHead, Sign, type Html } from '../html.tsx';
import type { Places } from '../places.ts';
import { defineView } from '../view.ts';
import type { AnswerOf } from '../../operations/perform.ts';

export const overviewView = defineView({
  path: '/',
  section: 'overview',
  twin: { path: '/api/overview', operation: overview, input: () => ({}) },
  show: (output, { places }) => ({ title: 'Overview', main: Overview({ found: output, places }) }),
});

function Overview({ found, places }: { found: AnswerOf<typeof overview>; places: Places }): Html {
  return (
    <>
      <h1>
        {count(found.skills, 'skill')}, {count(found.specs, 'spec')} and {count(found.changes.length, 'change')}
      </h1>
      <section aria-labelledby="todo">
        <SectionHead id="todo" title="Needs attention" />
        <ul class="card todo">
          {found.attention.map(({ severity, message, path, line, fix }) => (
            <li>
              <Sign of={severity === 'error' ? 'bad' : 'warn'} />
              <div>
                <b>{places.say(message)}</b>
                <p class="why">
                  <code>
                    {places.place(path)}
                    {line === undefined ? '' : `:${line}`}
                  </code>{' '}
                  {places.say(fix)}
                </p>
              </div>
              <Command run="lectern doctor" places={places} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
