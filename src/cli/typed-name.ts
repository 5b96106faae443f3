/** The words that started this program, so that the commands in hints can be copied. */
import { VERBATIM } from '../render/style.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns `npx lectern` if npx or `npm exec` started this program directly. npm names the started command in the script, so
 * programs below another command, such as a shell, are not mistaken.
 */
export function typedName(environment: Environment): string {
  const { npm_command, npm_lifecycle_event, npm_lifecycle_script = '', npm_config_package = '' } = environment;
  const isNpx = npm_command === 'exec' && npm_lifecycle_event === 'npx';
  if (!isNpx || !/^(["']?)lectern\1(?: |$)/u.test(npm_lifecycle_script)) return 'lectern';
  // Hints repeat a package that was given with --package. Several would not fit.
  const isNamed = /^[\w@./:+~-]+$/u.test(npm_config_package) && !/^lectern(?:@|$)/u.test(npm_config_package);
  return isNamed ? `npx -p ${npm_config_package} lectern` : 'npx lectern';
}

/** The program's name, followed by the first characters of a command, a flag or a placeholder. */
const COMMAND = /lectern (?<next>[\w-]+|[<[])/gu;

/**
 * Replaces the program's name in the commands of a text. `isCommand` distinguishes commands from prose: "lectern list", but not "lectern
 * needs". Verbatim lines stay unchanged.
 */
export function withTypedName(text: string, name: string, isCommand: (word: string) => boolean): string {
  if (name === 'lectern' || !text.includes('lectern ')) return text;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith(VERBATIM)) return line;
      return line.replaceAll(COMMAND, (found, next: string, offset: number) => {
        const isOne = /^(?:[<[]|--?\w)/u.test(next) || isCommand(next);
        return isOne && startsCommand(line.slice(0, offset)) ? name + found.slice('lectern'.length) : found;
      });
    })
    .join('\n');
}

/** Whether a command line may start after this text: not within a path, a name or another command line. */
function startsCommand(before: string): boolean {
  // oxlint-disable-next-line no-control-regex -- Colors are control characters.
  const isBoundary = before === '' || before.endsWith(VERBATIM) || /[\s"'`(]$|\u001b\[\d{1,3}m$/u.test(before);
  return isBoundary && !/(?:npx|-y|npm exec) $/u.test(before);
}
