/** The reference pages, written from the code they describe. `npm run docs` writes them; a test keeps them true. */
import * as z from 'zod';
import type { CommandDefinition } from '../src/cli/command.ts';
import { type Flag, GLOBAL_FLAGS, HELP_FLAGS } from '../src/cli/flags.ts';
import type { Example, Rule } from '../src/core/diagnostics.ts';
import type { Limit } from '../src/core/limits.ts';
import { compareText, forTerminal, grouped } from '../src/core/text.ts';
import { ConfigSchema } from '../src/workspace/config-schema.ts';

const NOTE = '<!-- Written by `npm run docs`. -->';

export function cliPage(commands: readonly CommandDefinition[]): string {
  const sections = commands.map((command) => {
    const usage = ['lectern', command.name, ...(command.arguments ?? []).map(({ form }) => form), '[flags]']
      .filter((word) => word !== '')
      .join(' ');
    const also = command.aliases?.length
      ? `\n\nAlso: ${command.aliases.map((alias) => `\`lectern ${alias}\``).join(', ')}`
      : '';
    const args = (command.arguments ?? []).map(({ form, about }): [string, string] => [code(form), about]);
    return [
      `## ${command.name === '' ? 'lectern' : `lectern ${command.name}`}`,
      `${command.summary}.\n\n    ${usage}${also}`,
      ...(args.length > 0 ? [table(['argument', 'meaning'], args)] : []),
      ...(command.flags.length > 0 ? [table(['flag', 'meaning'], command.flags.map(flagRow))] : []),
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
    'With `--json` every command prints one JSON document on standard output, errors included: `{"error":{"code","message","hint"}}`. Notices for people go to standard error.',
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
    'Whatever a limit leaves out is said in the result.',
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
  const rows = flatten(z.toJSONSchema(ConfigSchema, { io: 'input', unrepresentable: 'any' }), '');
  return page('Configuration', [
    'Lectern reads `.lectern/config.json` in the project (the nearest one between the working folder and the repository’s root) and `lectern/config.json` in your configuration folder (`$XDG_CONFIG_HOME`, else `~/.config`). Flags stand over the project’s file, and that over yours. Unknown keys are errors. `lectern doctor` shows the values in force and where each came from.',
    'Relative paths start from the folder that holds `.lectern`, or from your home for your own file.',
    table(['key', 'type', 'meaning'], rows),
    '```json\n{\n  "skillDir": ["./extra-skills?scope=team"],\n  "exclude": ["@plugins:experiments"],\n  "priority": "project-first"\n}\n```',
  ]);
}

/** One section per code, so that the code is its anchor. */
export function diagnosticsPage(rooms: Readonly<Record<string, readonly Rule[]>>): string {
  return page('Diagnostics', [
    'Problems in files, by code. Codes are stable, so scripts can rely on them. With `--json`, the `docs` of a finding points to its section here.',
    'An **error** makes a skill, spec or change invalid. A **warning** does so with `--strict`. **Advice** never does: it is what Lectern adds to the rules of OpenSpec, whose verdict stays as it is. For skills the severity may depend on the profile (`lectern validate --profile`).',
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

function severityOf({ severity, profiles, advice }: Rule): string {
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

function flatten(schema: unknown, prefix: string): [string, string, string][] {
  const { properties } = z.object({ properties: z.record(z.string(), z.unknown()) }).parse(schema);
  return Object.entries(properties).flatMap(([key, value]): [string, string, string][] => {
    const shape = z
      .looseObject({
        description: z.string().optional(),
        type: z.string().optional(),
        properties: z.unknown().optional(),
      })
      .parse(value);
    if (shape.properties !== undefined) return flatten(value, `${prefix}${key}.`);
    return [[code(prefix + key), typeName(value), shape.description ?? '']];
  });
}

function typeName(schema: unknown): string {
  const {
    type,
    enum: choices,
    anyOf,
  } = z
    .looseObject({
      type: z.string().optional(),
      enum: z.array(z.string()).optional(),
      anyOf: z.array(z.unknown()).optional(),
    })
    .parse(schema);
  if (choices) return choices.map((choice) => code(choice)).join(' or ');
  if (anyOf) return anyOf.map(typeName).join(' or ');
  return type === 'array' ? 'list of text' : type === 'string' ? 'text' : (type ?? 'any');
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
