import { type Fact, PLAIN_READING, PLAIN_WALK, type PlaceRule, type Profile } from '../profile.ts';

type Known = Pick<Profile, 'id' | 'name' | 'traces'> & {
  places: readonly PlaceRule[];
  source: Omit<Fact, 'fact'>;
  more?: Partial<Pick<Profile, 'manual' | 'paths' | 'walk' | 'version'>>;
  /** Documented settings. */
  settings?: string;
};

/** Creates the profile of an agent whose folders are known from its documentation or source code, but whose behavior was not observed. */
export function documented({ id, name, traces, places, source, more = {}, settings }: Known): Profile {
  const fact = (text: string): Fact => ({ fact: text, ...source });
  const folders = [...new Set(places.map((each) => (each.in === 'home' ? `~/${each.below}` : each.below)))];
  return {
    id,
    name,
    traces,
    places,
    above: 'nothing-without-git',
    walk: PLAIN_WALK,
    reading: PLAIN_READING,
    copies: 'unknown',
    order: 'unknown',
    manual: 'unknown',
    paths: 'unknown',
    budget: { kind: 'unknown', unit: 'characters' },
    builtIn: [],
    ...more,
    facts: {
      places: fact(`reads ${folders.join(', ')}`),
      copies: fact('which of several copies it uses is not documented'),
      files: fact('how it handles files that violate the specification is not documented'),
      budget: fact('whether its list has a limit is not documented'),
      settings: fact(settings ?? 'settings that hide skills are not documented'),
    },
  };
}
