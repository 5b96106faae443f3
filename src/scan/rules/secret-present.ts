import { scanRule } from '../rule.ts';

/** Split in two, so that other scanners do not report the example as a leaked key. */
const EXAMPLE_KEY = ['ghp_', 'w7Rk2mQx9Tb4Lz8Vn3Ys6Pd1Hc5Jf0AgUeKo'].join('');

export const secretPresent = scanRule({
  code: 'secret-present',
  category: 'secret',
  level: 'high',
  nature: 'fact',
  title: 'Key, token or password in the skill',
  about:
    'All recipients of the skill also get the secret. Lectern masks it in all output. Values that are clearly examples are low.',
  fix: 'Revoke the secret, remove it from the file and its history, and read it from the environment.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/config.json': `{ "auth": "${EXAMPLE_KEY}" }` },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/config.json': '{ "auth": "${GITHUB_TOKEN}" }' },
  *find({ texts }) {
    for (const file of texts)
      for (const { start, end, what, placeholder } of file.secrets) {
        const isLoose = what === 'a secret value' || what === 'a password in a URL';
        if (placeholder && isLoose) continue;
        // A value that is secret only by its name may be anything in prose, but is a real secret in a settings file.
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
