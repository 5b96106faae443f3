/** The reference pages, written from the code they describe. `npm run docs` writes them; a test keeps them true. */
import { argumentsOfCommand, type Command, flagsOfCommand, shownName } from '../src/cli/command.ts';
import { aboutOf, type Flag, GLOBAL_FLAGS, HELP_FLAGS } from '../src/cli/flags.ts';
import type { Example, Level, Rule } from '../src/core/diagnostics.ts';
import type { Field, Fields } from '../src/core/fields/field.ts';
import type { Limit } from '../src/core/limits.ts';
import { compareText, forTerminal, grouped } from '../src/core/text.ts';
import type { AnyOperation } from '../src/operations/define.ts';
import { DIAGNOSTIC } from '../src/operations/shapes.ts';
import { configFields, SETTINGS, type SettingDefinition } from '../src/workspace/settings-table.ts';

const NOTE = '<!-- Written by `npm run docs`. -->';

export function cliPage(commands: readonly Command[]): string {
  const sections = commands.map((command) => {
    const args = argumentsOfCommand(command);
    const flags = flagsOfCommand(command).filter(({ unlisted }) => !unlisted);
    const usage = [shownName(command.name), ...args.map(({ form }) => form), '[flags]'].join(' ');
    const also = command.aliases?.length
      ? `\n\nAlso: ${command.aliases.map((alias) => code(shownName(alias))).join(', ')}`
      : '';
    return [
      `## ${shownName(command.name)}`,
      `${command.summary}.\n\n    ${usage}${also}`,
      ...(args.length > 0
        ? [
            table(
              ['argument', 'meaning'],
              args.map(({ form, about }) => [code(form), about]),
            ),
          ]
        : []),
      ...(flags.length > 0 ? [table(['flag', 'meaning'], flags.map(flagRow))] : []),
      command.examples.map(([example, about]) => `    ${example}\n\n${about}`).join('\n\n'),
    ].join('\n\n');
  });
  const exit = table(
    ['exit code', 'meaning'],
    [
      ['0', 'done'],
      ['1', 'done, and the content has errors'],
      ['2', 'could not do it: usage, not found, ambiguous, refused'],
      ['70', 'a bug in Lectern'],
      ['130', 'interrupted'],
    ],
  );
  return page('Commands and flags', [
    'With `--json`, every command prints [one JSON document](../json.md) on standard output, errors included: `{"error":{"code","message","hint"}}`.',
    exit,
    `## Global flags\n\n${table(['flag', 'meaning'], [...GLOBAL_FLAGS, ...HELP_FLAGS].map(flagRow))}`,
    ...sections,
  ]);
}

export function limitsPage(limits: Readonly<Record<string, Limit>>): string {
  const rows = Object.entries(limits).map(([name, { value, unit, about }]): [string, string, string] => [
    code(name),
    `${grouped(value)} ${unit}`,
    about,
  ]);
  return page('Limits', [
    'If a limit leaves something out, the result says so.',
    table(['limit', 'value', 'meaning'], rows),
  ]);
}

export function errorsPage(codes: Readonly<Record<string, string>>): string {
  return page('Errors', [
    'A request that cannot be met fails with one of these codes: in `--json` output as `error.code`, in the library as `failure.code`.',
    table(
      ['code', 'meaning'],
      Object.entries(codes).map(([name, about]) => [code(name), about]),
    ),
  ]);
}

export function configPage(): string {
  return page('Configuration', [
    'Lectern reads two files: `.lectern/config.json` in the project (the nearest one from the working folder up to the root of the repository), and `lectern/config.json` in your configuration folder (`$XDG_CONFIG_HOME`, or `~/.config`). Flags win over the project’s file, and the project’s file wins over yours. A key or a value that does not fit is reported and ignored; the others apply. `lectern doctor` shows the values that apply, and where each one came from.',
    'Relative paths start from the folder that contains `.lectern`; in your own file, they start from your home. A leading `~/` is your home.',
    'The project’s file comes with a repository, so it may only set what cannot widen access. Anything else in it is ignored and [reported](reference/diagnostics.md#config-key-refused).',
    table(
      ['key', 'type', 'meaning', 'in a project’s file'],
      fieldRows(configFields(), '').map((row) => [...row, projectMay(row[0].slice(1, -1))]),
    ),
    '```json\n{\n  "skillDir": ["./extra-skills?scope=team"],\n  "exclude": ["@plugins:experiments"],\n  "priority": "project-first"\n}\n```',
  ]);
}

/** Whether a project's file may set a key. */
function projectMay(key: string): string {
  const name = key.replace(/^limits\./u, '');
  const setting = Object.entries<SettingDefinition>(SETTINGS).find(([each]) => each === name)?.[1];
  if (!setting) return key === 'limits' ? '' : 'no';
  if (typeof setting.project === 'number') return 'lower values';
  if (setting.project === undefined) return 'no';
  return setting.isPath ? 'inside the project' : 'yes';
}

/** Every operation: what it takes and answers, and where it can be reached. */
export function operationsPage(operations: readonly AnyOperation[]): string {
  const sections = operations.map((operation) => {
    const { name, summary, command, tool, library, params, output } = operation;
    const faces = [
      ...(command ? [`command ${code(shownName(command.name))}`] : []),
      ...(tool ? [`MCP tool ${code(name)} (toolset ${code(tool)})`] : []),
      ...(library === undefined ? [] : [`library ${code(`catalog.${library}()`)}`]),
    ];
    const inputs = fieldRows(params, '');
    return [
      `## ${name}`,
      `${summary}.\n\nAvailable as ${faces.join(', ') || 'a part of another command'}.`,
      ...(inputs.length > 0 ? [table(['parameter', 'type', 'meaning'], inputs)] : []),
      table(['result', 'type', 'meaning'], fieldRows(output, '')),
    ].join('\n\n');
  });
  return page('Operations', [
    'Everything that Lectern can do. `--json` prints the result, an MCP tool returns it as structured content, and the library returns it with its keys in camelCase (`spec_id` becomes `specId`).',
    ...sections,
  ]);
}

/** The documents of `--json`, command by command. The reference of operations has the nested keys. */
export function jsonPage(operations: readonly AnyOperation[], commands: readonly Command[]): string {
  const sections = commands.map((command) => {
    const head = `## ${shownName(command.name)}`;
    const operation = operations.find((each) => each.command?.name === command.name);
    if (!operation)
      return `${head}\n\n${command.document === undefined ? 'A server: it prints no document' : command.document}.`;
    return [
      head,
      table(['key', 'type', 'meaning'], Object.entries(operation.output as Fields).map(topRow)),
      `All keys: [${operation.name}](reference/operations.md#${operation.name}).`,
    ].join('\n\n');
  });
  const withProblems = operations.filter(({ command, output }) => command && 'diagnostics' in output);
  const names = withProblems.map(({ command }) => code(`${shownName(command?.name ?? '')} --json`)).join(', ');
  return page('JSON output', [
    'With `--json`, every command prints one JSON document on standard output, and nothing else. Keys that exist are never renamed or removed; new ones may be added, so ignore keys that you do not know. The exit codes are [the same as without it](reference/cli.md).',
    '```sh\nlectern list --json | jq -r ".skills[].name"\n```',
    'A command that fails prints `{"error": {…}}` with `code` (one of [these](reference/errors.md)), `message` and, where they help, `hint`, `suggestions`, `path` and `line`.',
    `**Problems in files** have these keys (the [codes](reference/diagnostics.md) are stable):\n\n${table(['key', 'type', 'meaning'], fieldRows(DIAGNOSTIC, ''))}`,
    `Problems that the document contains are not repeated on standard error: ${names}. Other problems, such as an unknown key in the configuration, are still reported there.`,
    `New keys are in camelCase. These older ones are not: ${snakeKeys(operations).map(code).join(', ')}. The library has all keys in camelCase.`,
    'Commands in texts such as `hint` and `fix` always start with `lectern`. Texts for people use the words that were typed, such as `npx lectern`.',
    '`--help --json` and `--version --json` print a document too. `--sarif` prints SARIF 2.1.0 instead. `lectern setup --all --json` prints `{"clients": […]}`, with one result or error per client.',
    ...sections,
  ]);
}

/** The keys of results that are not in camelCase. */
export function snakeKeys(operations: readonly AnyOperation[]): string[] {
  const keysOf = (fields: Fields): string[] =>
    Object.entries(fields).flatMap(([key, field]) => [key, ...keysOf(insideOf(field) ?? {})]);
  const keys = operations.flatMap(({ output }) => keysOf(output as Fields));
  return [...new Set(keys)].filter((key) => key.includes('_')).sort(compareText);
}

function topRow([key, field]: [string, Field]): [string, string, string] {
  return [code(key), typeName(field), aboutOf(withoutChoices(field)).trim()];
}

/** One section per code, so that the code is its anchor. */
export function diagnosticsPage(rooms: Readonly<Record<string, readonly Rule[]>>): string {
  return page('Diagnostics', [
    'Problems in files, by code. Codes are stable, so scripts can rely on them. With `--json`, the `docs` of a finding points to its section here.',
    'An **error** makes a skill, spec or change invalid. A **warning** does so with `--strict`. **Advice** never does: it is what Lectern adds to the rules of OpenSpec, whose verdict stays as it is. For skills the severity may depend on the profile (`lectern validate --profile`). **Security findings** have a category and a level instead; the context lowers the level.',
    ...Object.entries(rooms).flatMap(([room, rules]) => {
      const sorted = [...rules].sort((a, b) => compareText(a.code, b.code));
      const rows = sorted.map((rule) => [`[${rule.code}](#${rule.code})`, severityOf(rule), rule.title]);
      return [`## ${room}`, table(['code', 'severity', 'meaning'], rows), ...sorted.map(diagnosticSection)];
    }),
  ]);
}

function diagnosticSection(rule: Rule): string {
  const { code: name, title, about, fix, bad, good } = rule;
  return [
    `### ${name}`,
    `${title}. Severity: ${severityOf(rule)}.`,
    about,
    `**Fix.** ${fix}`,
    ...(bad === undefined ? [] : [`Wrong:\n\n${example(bad)}`]),
    ...(good === undefined ? [] : [`Right:\n\n${example(good)}`]),
  ].join('\n\n');
}

function severityOf(rule: Rule & { level?: Level; category?: string }): string {
  const { severity, profiles, advice, level, category } = rule;
  if (level !== undefined && category !== undefined) return `${category}, up to ${level}`;
  if (!profiles) return advice ? `${severity}, advice` : severity;
  return Object.entries(profiles)
    .map(([profile, own]) => `${profile}: ${own}`)
    .join(', ');
}

function example(files: Example): string {
  if (typeof files === 'string') return block(files);
  return Object.entries(files)
    .map(([file, text]) => `${code(file)}\n\n${block(text)}`)
    .join('\n\n');
}

/** Invisible characters are shown as escapes. */
function block(text: string): string {
  const fence = text.includes('```') ? '````' : '```';
  return `${fence}\n${forTerminal(text).replace(/\n$/u, '')}\n${fence}`;
}

function flagRow(flag: Flag): [string, string] {
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  return [
    flag.names.map((name) => code(name + value)).join(', '),
    flag.repeatable ? `${flag.about} (repeatable)` : flag.about,
  ];
}

function fieldRows(fields: Fields, prefix: string): [string, string, string][] {
  return Object.entries(fields).flatMap(([key, field]): [string, string, string][] => {
    const about = aboutOf(withoutChoices(field)).trim();
    const row: [string, string, string] = [
      code(prefix + key),
      typeName(field),
      field.required ? `${about} (required)` : about,
    ];
    const below = insideOf(field);
    return below ? [row, ...fieldRows(below, `${prefix}${key}.`)] : [row];
  });
}

/** The column of types has the choices. */
function withoutChoices(field: Field): Field {
  if (field.type === 'list') return { ...field, of: withoutChoices(field.of) };
  return field.type === 'choice' ? { ...field, choices: [] } : field;
}

/** The fields of an object, or of the objects in a list or a map. */
function insideOf(field: Field): Fields | undefined {
  if (field.type === 'object') return field.fields;
  return field.type === 'list' || field.type === 'map' ? insideOf(field.of) : undefined;
}

function typeName(field: Field): string {
  const bare =
    field.type === 'choice'
      ? field.choices.map(code).join(' or ')
      : field.type === 'list'
        ? `list of ${typeName(field.of)}`
        : field.type === 'map'
          ? `map of ${typeName(field.of)}`
          : field.type === 'flag'
            ? 'true or false'
            : field.type;
  return `${bare}${field.nullable ? ' or null' : ''}${field.optional ? ', optional' : ''}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, NOTE, ...parts].join('\n\n')}\n`;
}
