/** A browser sends a cookie once for each path that set it. Further values are ignored. */
const SAME_NAME_MAX = 4;

/**
 * Returns the values of a name in a `Cookie` header. Reads each character once, because the header is parsed before the caller is
 * authenticated.
 */
export function cookiesNamed(name: string, header: string | undefined): string[] {
  const start = `${name}=`;
  return (header ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
    .slice(0, SAME_NAME_MAX)
    .map((cookie) => cookie.slice(start.length));
}
