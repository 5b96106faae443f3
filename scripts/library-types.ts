/** Writes the declarations of the library from the tables of operations and settings: plain interfaces, nothing to install. */
import { FAILURE_CODES } from '../src/core/failure.ts';
import { camelKey } from '../src/core/fields/camel-case.ts';
import type { Field, Fields } from '../src/core/fields/field.ts';
import { type AnyOperation, paramsFor } from '../src/operations/define.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { DIAGNOSTIC } from '../src/operations/shapes.ts';
import { optionFields } from '../src/workspace/settings.ts';

/** Shapes that have a name of their own wherever they appear. */
const NAMED = new Map<Fields, string>([[DIAGNOSTIC, 'Diagnostic']]);

export function libraryTypes(operations: readonly AnyOperation[]): string {
  const published = operations.filter(({ library }) => library !== undefined);
  const grouped = (group: string | undefined) =>
    published.filter(({ library = '' }) => (library.includes('.') ? library.split('.')[0] : undefined) === group);
  const groups = [...new Set(published.flatMap(({ library = '' }) => library.split('.').slice(0, -1)))];
  return `${[
    'export declare const VERSION: string;',
    `export type Severity = ${DIAGNOSTIC.severity.choices.map((each) => `'${each}'`).join(' | ')};`,
    declare(
      'Diagnostic',
      'A problem in a file. The code is stable; the wording may change.',
      DIAGNOSTIC,
      'result',
      true,
    ),
    `export type FailureCode =${Object.entries(FAILURE_CODES)
      .map(([name, about]) => `\n  /** ${about} */\n  | '${name}'`)
      .join('')};`,
    FAILURE,
    declare(
      'CatalogOptions',
      'Where to look and what to leave out. Relative paths start from `projectDir`.',
      optionFields(),
      'input',
    ),
    ...published.flatMap((operation) => [
      ...(hasInput(operation)
        ? [declare(inputName(operation), operation.summary, inputFields(operation), 'input')]
        : []),
      declare(resultName(operation), operation.summary, operation.output, 'result'),
    ]),
    ...groups.map((group) => `export interface ${capital(group)} {\n${grouped(group).map(method).join('\n')}\n}`),
    `/** An opened catalog. It holds one immutable snapshot until \`reload()\` swaps in the next. */
export interface Catalog {
${grouped(undefined).map(method).join('\n')}
${groups.map((group) => `  readonly ${group}: ${capital(group)};`).join('\n')}
  /** What was wrong with the files of the current snapshot. */
  diagnostics(): Diagnostic[];
  /** Scans again; files that did not change are not read again. */
  reload(): Promise<void>;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}`,
    `/** Finds every skill that can be seen from a folder. By default: the working folder and the user's home. */
export declare function openCatalog(options?: CatalogOptions): Promise<Catalog>;`,
  ].join('\n\n')}\n`;
}

const FAILURE = `/** A request that cannot be met, for a foreseen reason. */
export declare class Failure extends Error {
  readonly code: FailureCode;
  /** The next step, as one sentence. */
  readonly hint: string | undefined;
  /** Names that may have been meant, best first. */
  readonly suggestions: readonly string[];
  /** The file the failure is about, and the line if known. */
  readonly path: string | undefined;
  readonly line: number | undefined;
}`;

function method(operation: AnyOperation): string {
  const name = operation.library?.split('.').at(-1) ?? '';
  const isOptional = !Object.values(inputFields(operation)).some(({ required }) => required);
  const input = hasInput(operation) ? `input${isOptional ? '?' : ''}: ${inputName(operation)}` : '';
  return `  /** ${operation.summary}. */\n  ${name}(${input}): Promise<${resultName(operation)}>;`;
}

function inputFields(operation: AnyOperation): Fields {
  return paramsFor('library', operation);
}

function hasInput(operation: AnyOperation): boolean {
  return Object.keys(inputFields(operation)).length > 0;
}

function inputName(operation: AnyOperation): string {
  return `${typeNameOf(operation)}Input`;
}

function resultName(operation: AnyOperation): string {
  return `${typeNameOf(operation)}Result`;
}

function typeNameOf({ library = '' }: AnyOperation): string {
  return library.split('.').map(capital).join('');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

type Direction = 'input' | 'result';

function declare(name: string, about: string, fields: Fields, direction: Direction, itself = false): string {
  return `/** ${about.replace(/\.?$/u, '.')} */\nexport interface ${name} ${objectType(fields, direction, '', itself)}`;
}

function objectType(fields: Fields, direction: Direction, indent: string, itself = false): string {
  const named = itself ? undefined : NAMED.get(fields);
  if (named !== undefined) return named;
  const lines = Object.entries(fields).map(([key, field]) => {
    const isOptional = direction === 'input' ? !field.required : field.optional;
    const about = field.help === undefined ? '' : `${indent}  /** ${field.help.replaceAll('*/', '*\\/')}. */\n`;
    const type = valueType(field, direction, `${indent}  `);
    return `${about}${indent}  ${camelKey(key)}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''};`;
  });
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${indent}}`;
}

function valueType(field: Field, direction: Direction, indent: string): string {
  const bare = bareType(field, direction, indent);
  return field.nullable ? `${bare} | null` : bare;
}

function bareType(field: Field, direction: Direction, indent: string): string {
  switch (field.type) {
    case 'text':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'flag':
      return field.always === undefined ? 'boolean' : String(field.always);
    case 'choice':
      return field.choices.map((choice) => `'${choice}'`).join(' | ');
    case 'list': {
      const item = valueType(field.of, direction, indent);
      const list = /[|{]/u.test(item) ? `(${item})[]` : `${item}[]`;
      return direction === 'input' ? `readonly ${list}` : list;
    }
    case 'map':
      return direction === 'input' && field.of.type === 'text'
        ? 'Readonly<Record<string, string | undefined>>'
        : `Record<string, ${valueType(field.of, direction, indent)}>`;
    case 'object':
      return objectType(field.fields, direction, indent);
    case 'any':
      return 'unknown';
  }
}

// Tests import this file; the build runs it.
if (process.argv[1]?.endsWith('library-types.ts')) process.stdout.write(libraryTypes(OPERATIONS));
