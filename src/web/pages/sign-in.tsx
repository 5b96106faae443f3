import type { Html } from '../html.tsx';

export function SignIn({ wrong, to }: { wrong: boolean; to: string }): Html {
  return (
    <>
      <h1>Sign in</h1>
      <p class="lede">This server asks for a token: the one it was started with, in LECTERN_TOKEN or --token.</p>
      <form class="card pad signin" method="post" action="/login">
        <label for="token">Token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          {...(wrong ? { 'aria-invalid': 'true', 'aria-describedby': 'wrong' } : {})}
        />
        <input type="hidden" name="to" value={to} />
        {wrong ? (
          <p id="wrong" class="wrong" role="alert">
            That is not the token of this server.
          </p>
        ) : null}
        <button class="chip">Sign in</button>
      </form>
    </>
  );
}
