import path from 'node:path';

/**
 * The path with a leading `~/` replaced by the home folder. Shells do that on a command line, but not in the JSON of a
 * client's configuration. Without a home the path stays as it is.
 */
export function expandHome(place: string, home: string | undefined): string {
  if (home === undefined || !place.startsWith('~')) return place;
  const rest = place.slice(1);
  return rest === '' || rest.startsWith('/') || rest.startsWith(path.sep) ? path.join(home, rest) : place;
}
