/** The skills of a shared catalog that the caller can see, by source. */
import { listSkills } from '../../operations/list-skills.ts';
import { catalogOverview } from '../catalog/catalog-overview.ts';
import { listSources } from '../catalog/list-sources.ts';
import { Link } from '../html.tsx';
import { definePage, type PageContext } from '../page.ts';
import { type FilterGroup, Skills } from './skills.tsx';

const ROWS = 100;
/** Maximum number of sources in the filter. The sources page lists all. */
const SOURCES_SHOWN = 12;

export const catalogSkillsPage = definePage({
  path: '/skills',
  section: 'skills',
  twin: {
    path: '/api/skills',
    operation: listSkills,
    input: ({ q, source, state, cursor, limit = ROWS }) => ({
      query: q === '' ? undefined : q,
      source,
      state: state === 'enabled' || state === 'disabled' ? state : 'all',
      cursor,
      limit,
    }),
  },
  show: async (listed, context) => {
    const { ask, values, here } = context;
    const { skills: total, disabled } = await ask(catalogOverview);
    const filters = await filtersOf(context, total, disabled);
    const main = <Skills listed={listed} values={values} here={here} all={{ total, disabled }} filters={filters} />;
    return { title: 'Skills', main };
  },
});

async function filtersOf({ ask, values }: PageContext, total: number, disabled: number): Promise<FilterGroup[]> {
  const { sources, total: all } = await ask(listSources, { limit: SOURCES_SHOWN });
  const { source: chosen = '' } = values;
  const isListed = sources.some(({ source }) => source === chosen);
  const [found] = chosen === '' || isListed ? [] : (await ask(listSources, { query: chosen })).sources;
  const listed = [...(found?.source === chosen ? [found] : []), ...sources];
  return [
    {
      key: 'source',
      title: 'Source',
      // Skip sources that have only specs.
      choices: listed.flatMap(({ source, skills }) =>
        skills === 0 && source !== chosen ? [] : [[source, source, skills] as const],
      ),
      ...(all > SOURCES_SHOWN
        ? {
            more: (
              <p>
                <Link to="/sources">All {all} sources</Link>
              </p>
            ),
          }
        : {}),
    },
    ...(disabled === 0
      ? []
      : [
          {
            key: 'state',
            title: 'State',
            choices: [
              ['enabled', 'enabled', total - disabled],
              ['disabled', 'disabled', disabled],
            ] as const,
          },
        ]),
  ];
}
