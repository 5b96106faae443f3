import { scanRule } from '../rule.ts';

/** In two parts, so that other scanners do not take the example for a leaked key. */
const EXAMPLE_KEY = ['ghp_', 'w7Rk2mQx9Tb4Lz8Vn3Ys6Pd1Hc5Jf0AgUeKo'].join('');

export const secretPresent = scanRule({
  code: 'secret-present',
  category: 'secret',
  level: 'high',
  nature: 'fact',
  title: 'A key, token or password is in the skill',
  about:
    'Everyone who gets the skill gets the secret too. It is masked in every output of Lectern. Values that are plainly examples are low.',
  fix: 'Revoke the secret, remove it from the file and its history, and read it from the environment.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/config.json': `{ "auth": "${EXAMPLE_KEY}" }` },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/config.json': '{ "auth": "${GITHUB_TOKEN}" }' },
  *find({ texts }) {
    for (const file of texts)
      for (const { start, end, what, placeholder } of file.secrets) {
        const isLoose = what === 'a secret value' || what === 'a password in an address';
        if (placeholder && isLoose) continue;
        // A value that only its name makes a secret may be anything in a text; in a file of settings it is one.
        const level = placeholder
          ? 'low'
          : isLoose
            ? /(?:^|\/)\.env(?:\.(?!example|sample|template)\w+)?$/u.test(file.path)
              ? 'high'
              : file.kind === 'prose'
                ? 'low'
                : 'medium'
            : 'high';
        yield {
          file,
          start,
          end,
          level,
          message: placeholder ? `${what} that looks like an example` : `${what} is in the file`,
        };
      }
  },
});
