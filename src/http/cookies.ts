/** A browser sends a cookie of one name once for each path that set it. More are not looked at. */
const SAME_NAME_MAX = 4;

/** The values that a `Cookie` header has for a name. Reads each character once: the header comes before any check of the caller. */
export function cookiesNamed(name: string, header: string | undefined): string[] {
  const start = `${name}=`;
  return (header ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
    .slice(0, SAME_NAME_MAX)
    .map((cookie) => cookie.slice(start.length));
}
