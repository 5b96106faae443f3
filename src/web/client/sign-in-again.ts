/** Redirects a signed-out user to the sign-in page, which leads back here. */
export async function signInAgain(): Promise<boolean> {
  try {
    const { redirected, url } = await fetch(location.href, { method: 'HEAD', headers: { Accept: 'text/html' } });
    if (redirected) location.assign(url);
    return redirected;
  } catch {
    // The server is unreachable, which the stream reports.
    return false;
  }
}
