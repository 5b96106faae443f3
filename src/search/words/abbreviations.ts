/**
 * Common technical abbreviations. The forms on one line count as one word of a query. A form of several words matches if all of them
 * occur. File extensions are listed with the usual names of such files.
 */
const SAME: readonly (readonly string[])[] = [
  ['k8s', 'kubernetes'],
  ['xlsx', 'xls', 'excel', 'spreadsheet'],
  ['pptx', 'ppt', 'powerpoint', 'slide deck'],
  ['docx', 'word document'],
  ['md', 'markdown'],
  ['yml', 'yaml'],
  ['db', 'database'],
  ['pg', 'postgres', 'postgresql'],
  ['mongo', 'mongodb'],
  ['js', 'javascript'],
  ['ts', 'typescript'],
  ['py', 'python'],
  ['tf', 'terraform'],
  ['gh', 'github'],
  ['gcp', 'google cloud'],
  ['ci', 'continuous integration'],
  ['cd', 'continuous delivery', 'continuous deployment'],
  ['iac', 'infrastructure code'],
  ['infra', 'infrastructure'],
  ['auth', 'authentication', 'authorization'],
  ['authn', 'authentication'],
  ['authz', 'authorization'],
  ['sso', 'single sign'],
  ['mfa', '2fa', 'multi factor', 'two factor'],
  ['i18n', 'internationalization'],
  ['l10n', 'localization'],
  ['a11y', 'accessibility'],
  ['o11y', 'observability'],
  ['e2e', 'endtoend'],
  ['tdd', 'test driven'],
  ['pr', 'pull request'],
  ['mr', 'merge request'],
  ['repo', 'repository'],
  ['config', 'configuration'],
  ['env', 'environment'],
  ['deps', 'dependencies'],
  ['docs', 'documentation'],
  ['perf', 'performance'],
  ['regex', 'regexp', 'regular expression'],
  ['cli', 'command line'],
  ['ui', 'user interface'],
  ['api', 'application programming interface'],
  ['vm', 'virtual machine'],
  ['lb', 'load balancer'],
  ['mq', 'message queue'],
  ['tz', 'timezone', 'time zone'],
  ['ssl', 'tls'],
  ['ml', 'machine learning'],
  ['ai', 'artificial intelligence'],
  ['llm', 'language model'],
  ['nlp', 'natural language'],
  ['wasm', 'webassembly'],
];

const BY_FORM: ReadonlyMap<string, readonly string[]> = new Map(
  SAME.flatMap((forms) => forms.filter((form) => !form.includes(' ')).map((form) => [form, forms] as const)),
);

/** The other forms of a word, in lower case. */
export function otherForms(word: string): readonly string[] {
  return (BY_FORM.get(word) ?? []).filter((form) => form !== word);
}
