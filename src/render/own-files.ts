import type { OwnFile } from '../operations/own-files-shape.ts';
import type { UninstallOutput } from '../operations/uninstall.ts';
import { count } from '../core/text.ts';
import { safe, type Style } from './style.ts';

const TITLES: Readonly<Record<OwnFile['kind'], string>> = {
  cache: 'Caches',
  state: 'Locks and notes about unfinished work',
  configuration: 'Your settings',
  completion: 'Shell completions',
  client: 'Entries in MCP clients',
  list: 'Lists of skills',
  lock: 'Lock files',
  skill: 'Installed and shared skills',
  backup: 'Backups of your own versions',
};

export function renderOwnFiles(files: readonly OwnFile[], style: Style): string {
  if (files.length === 0) return 'Lectern has written no files for this user and project.\n';
  return `${sections(files, style, () => ' ')}\n\nRemove them: lectern uninstall\n`;
}

export function renderUninstall({ files, dryRun }: UninstallOutput, style: Style): string {
  if (files.length === 0) return 'There is nothing to remove.\n';
  const marks = {
    removed: style.green('✓'),
    'would-remove': style.red('-'),
    kept: ' ',
    failed: style.red('✗'),
  } as const;
  const body = sections(files, style, ({ status }) => marks[status]);
  const removed = files.filter(({ status }) => status === 'removed').length;
  const end = dryRun
    ? 'Nothing was removed.'
    : removed > 0
      ? `${count(removed, 'file or entry', 'files and entries')} removed. To remove the program: npm uninstall --global lectern`
      : '';
  return `${body}\n${end === '' ? '' : `\n${end}\n`}`;
}

function sections<File extends OwnFile & { reason?: string | undefined }>(
  files: readonly File[],
  style: Style,
  markOf: (file: File) => string,
): string {
  return Object.entries(TITLES)
    .flatMap(([kind, title]) => {
      const own = files.filter((file) => file.kind === kind);
      if (own.length === 0) return [];
      const rows = own.map((file) => {
        const part =
          file.kind === 'client' ? `, entry ${safe(file.name ?? '')}` : file.isPart ? ', a marked block' : '';
        const reason = file.reason === undefined ? '' : style.dim(` (${style.say(file.reason)})`);
        return `  ${markOf(file)} ${style.place(file.path)}${part}${reason}`;
      });
      return [`${style.bold(title)}\n${rows.join('\n')}`];
    })
    .join('\n\n');
}
