import type { Html } from '../html.tsx';

/** `refused` explains why the last token was rejected. */
export function SignIn({ words, refused, to }: { words: string; refused: string | undefined; to: string }): Html {
  return (
    <>
      <h1>Sign in</h1>
      <p class="lede">{words}</p>
      <form class="card pad signin" method="post" action="/login">
        <label for="token">Token</label>
        <input
          class="field"
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          {...(refused === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': 'wrong' })}
        />
        <input type="hidden" name="to" value={to} />
        {refused === undefined ? null : (
          <p id="wrong" class="wrong" role="alert">
            {refused}
          </p>
        )}
        <button class="chip">Sign in</button>
      </form>
    </>
  );
}
