/** Who was signed out meanwhile is asked to sign in, and then comes back to where they were. */
export async function signInAgain(): Promise<boolean> {
  try {
    const { redirected, url } = await fetch(location.href, { method: 'HEAD', headers: { Accept: 'text/html' } });
    if (redirected) location.assign(url);
    return redirected;
  } catch {
    // The server is gone; the stream says so.
    return false;
  }
}
