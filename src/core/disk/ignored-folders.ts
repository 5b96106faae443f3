/** Folders of other tools, which never belong to a skill or a project's own files. */
export const IGNORED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Like `IGNORED_FOLDERS`, with the files that macOS adds to folders. */
export const IGNORED_NAMES: ReadonlySet<string> = new Set([...IGNORED_FOLDERS, '.DS_Store']);
