import path from 'node:path';

/**
 * Replaces a leading `~/` by the home folder. Shells do that on a command line, but not in the JSON of a client's configuration.
 * The path is unchanged if there is no home.
 */
export function expandHome(place: string, home: string | undefined): string {
  if (home === undefined || !place.startsWith('~')) return place;
  const rest = place.slice(1);
  return rest === '' || rest.startsWith('/') || rest.startsWith(path.sep) ? path.join(home, rest) : place;
}
