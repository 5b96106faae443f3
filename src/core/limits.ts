/** All limits. The reference page is generated from this table. If a limit omits items, the result includes a note. */
export interface Limit {
  value: number;
  unit:
    | 'bytes'
    | 'characters'
    | 'entries'
    | 'files'
    | 'folders'
    | 'levels'
    | 'lines'
    | 'milliseconds'
    | 'items'
    | 'nodes'
    | 'days';
  about: string;
}

export const LIMITS = {
  nameCharacters: {
    value: 256,
    unit: 'characters',
    about: 'A longer name in a request is refused before anything is searched for it.',
  },
  queryCharacters: { value: 2_000, unit: 'characters', about: 'A longer query is refused before it is searched.' },
  queryWords: { value: 64, unit: 'items', about: 'A query of more words is refused before it is searched.' },
  inputCharacters: {
    value: 4_096,
    unit: 'characters',
    about: 'Any other text in a request, such as a path, is refused if it is longer.',
  },
  uriCharacters: {
    value: 16_384,
    unit: 'characters',
    about:
      'A longer resource URI is refused: the longest path has 4,096 bytes, and three characters can stand for one.',
  },
  promptCharacters: {
    value: 20_000,
    unit: 'characters',
    about: 'The words that a person adds to a prompt are refused if they are longer.',
  },
  requestBytes: { value: 4 * 1024 * 1024, unit: 'bytes', about: 'A larger message to a server is refused unread.' },
  requestMarks: {
    value: 60_000,
    unit: 'characters',
    about: 'A message with more commas and opening brackets, in its texts too, is refused before it is parsed.',
  },
  requestValues: { value: 2_000, unit: 'items', about: 'A message to a server with more values is refused.' },
  requestCharacters: {
    value: 256 * 1024,
    unit: 'characters',
    about: 'A message to a server whose texts are longer in all, or that has eight times as many bytes, is refused.',
  },
  requestBatch: { value: 50, unit: 'items', about: 'A batch of more messages to a server is refused.' },
  oauthDocumentBytes: {
    value: 1024 * 1024,
    unit: 'bytes',
    about: 'Larger metadata or keys of an authorization server are not read.',
  },
  catalogAnswerBytes: {
    value: 2 * 1024 * 1024,
    unit: 'bytes',
    about: 'A longer answer of a shared catalog is not read by the server that joins it.',
  },
  keptAnswers: {
    value: 2_000,
    unit: 'files',
    about: 'Answers of shared catalogs that are kept for use without the network; the oldest go first.',
  },
  keptAnswersBytes: { value: 64 * 1024 * 1024, unit: 'bytes', about: 'The same, all of them together.' },
  publishAnswerBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    about: 'A longer answer of a shared catalog is not read by publish, rollback and history.',
  },
  publishedFileBytes: {
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    about: 'A source with a larger file is not published.',
  },
  publishedSkillBytes: {
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    about: 'A source with a skill whose files are larger in all is not published.',
  },
  publishedSourceBytes: {
    value: 512 * 1024 * 1024,
    unit: 'bytes',
    about: 'A source whose files are larger in all is not published. A content counts for each file that has it.',
  },
  publishedTextBytes: {
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    about: 'A source with more in its SKILL.md files is not published: every replica reads and indexes them.',
  },
  publishedSpecBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    about:
      'A source with more in its specs and changes is not published: every replica reads them and keeps them in memory.',
  },
  publishedFolders: { value: 20_000, unit: 'items', about: 'A source with more folders is not published.' },
  publishedDepth: { value: 32, unit: 'levels', about: 'A source with a file in more folders is not published.' },
  publishedFiles: { value: 20_000, unit: 'files', about: 'A source with more files is not published.' },
  publishedManifestBytes: {
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    about: 'A longer list of files to publish is refused unread.',
  },
  skillFileBytes: { value: 1024 * 1024, unit: 'bytes', about: 'A larger SKILL.md is refused before it is read.' },
  frontmatterBytes: { value: 64 * 1024, unit: 'bytes', about: 'Longer frontmatter is refused before it is parsed.' },
  yamlBytes: {
    value: 64 * 1024,
    unit: 'bytes',
    about: 'Longer YAML in any other file, such as .openspec.yaml, is refused unless it is only simple lines.',
  },
  frontmatterDepth: { value: 64, unit: 'levels', about: 'Frontmatter nested deeper is refused.' },
  frontmatterNodes: {
    value: 10_000,
    unit: 'nodes',
    about: 'Frontmatter with more values, after its aliases are expanded, is refused.',
  },
  descriptionCharacters: {
    value: 16_384,
    unit: 'characters',
    about: 'A longer description is cut in lists; the file itself is served in full.',
  },
  usageDays: {
    value: 400,
    unit: 'days',
    about:
      'With the setting usage, loads are counted for this many days; older counts are dropped. In a shared catalog, `lectern db prune` drops them.',
  },
  sharedViews: {
    value: 500,
    unit: 'items',
    about:
      'Maximum number of views that a replica keeps. Callers who see the same sources share one; other views are rebuilt when needed.',
  },
  sharedViewSkills: {
    value: 20_000_000,
    unit: 'items',
    about:
      'The views that a replica keeps show so many skills together, about 40 bytes of memory each; of large catalogs it keeps fewer views.',
  },
  sharedTextBytes: {
    value: 32 * 1024 * 1024,
    unit: 'bytes',
    about: 'Texts of loaded skills that a replica keeps in memory; others are read from its cache folder.',
  },
  sharedListSkills: {
    value: 1_000_000,
    unit: 'items',
    about:
      'Maximum number of skills in all views whose lists for prompts and resources are cached. Other lists are rebuilt when needed.',
  },
  walkDepth: {
    value: 6,
    unit: 'levels',
    about:
      'Skills deeper below a root are reported, not loaded. Roots given by --root or --skill-dir have no such limit.',
  },
  walkPeekDepth: {
    value: 256,
    unit: 'levels',
    about: 'How deep a search goes at all, also to report skills that are too deep to be loaded.',
  },
  walkEntries: {
    value: 20_000,
    unit: 'entries',
    about: 'Entries examined in one root. The content of skill folders does not count.',
  },
  filterPatterns: {
    value: 500,
    unit: 'items',
    about:
      'Patterns in include, in exclude, or in the permissions of OpenCode. Further patterns of a filter are ignored and reported; OpenCode’s are not evaluated at all.',
  },
  wildcardCharacters: {
    value: 1_024,
    unit: 'characters',
    about: 'Longer names are matched only by themselves and by patterns with one star, such as git-*.',
  },
  linkFolders: {
    value: 250,
    unit: 'folders',
    about: 'Folders examined behind a link without finding a skill; then the search continues elsewhere.',
  },
  surveyFolders: {
    value: 100_000,
    unit: 'folders',
    about: 'Folders examined below one folder of skills, for the lists of agents.',
  },
  bundledFiles: {
    value: 5_000,
    unit: 'files',
    about: 'Files listed for one skill. A source with a skill that has more is not published.',
  },
  comparedFiles: {
    value: 200,
    unit: 'files',
    about: 'Skills of one name with more files are not compared: they count as different, not as copies.',
  },
  comparedBytes: { value: 4 * 1024 * 1024, unit: 'bytes', about: 'The same for larger skills.' },
  overlapChanges: {
    value: 5,
    unit: 'items',
    about: 'Changes named for a requirement that several active changes touch; the others are counted.',
  },
  jsonFileBytes: {
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    about: 'A larger settings, plugin or configuration file is refused.',
  },
  specFileBytes: {
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    about: 'A larger file of a spec or a change is refused before it is read.',
  },
  packageDepth: {
    value: 3,
    unit: 'levels',
    about: 'How deep below the project Lectern looks for the openspec/ folders and the agents’ folders of a monorepo.',
  },
  installedFiles: { value: 5_000, unit: 'files', about: 'A skill with more files is not installed.' },
  installedBytes: { value: 100 * 1024 * 1024, unit: 'bytes', about: 'A larger skill is not installed.' },
  sourceEntries: {
    value: 200_000,
    unit: 'entries',
    about: 'A repository or folder with more files and folders is not searched for skills to install.',
  },
  sourceListCharacters: {
    value: 32 * 1024 * 1024,
    unit: 'characters',
    about: 'The same for a repository or folder whose paths are longer in all.',
  },
  sourcePathCharacters: {
    value: 2_048,
    unit: 'characters',
    about: 'The same for a repository or folder with a longer path.',
  },
  sourceDepth: {
    value: 128,
    unit: 'levels',
    about: 'The same for a repository or folder with a file in more folders.',
  },
  fetchedBytes: {
    value: 256 * 1024 * 1024,
    unit: 'bytes',
    about: 'Fetching from a repository stops when git has stored more. A clone can be larger: install from its folder.',
  },
  refListBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    about: 'A longer list of branches and tags is not read.',
  },
  offeredSkills: {
    value: 5_000,
    unit: 'items',
    about:
      'Skills that install offers from one source. A note has the number of omitted skills; --path narrows the search.',
  },
  marketplacePlugins: {
    value: 5_000,
    unit: 'items',
    about: 'Plugins of a marketplace that install examines. A note has the number of omitted plugins.',
  },
  collectedBytes: {
    value: 512 * 1024 * 1024,
    unit: 'bytes',
    about: 'Skills that one install, update or outdated reads together. The others fail; name fewer skills at a time.',
  },
  lockedSkills: { value: 5_000, unit: 'items', about: 'A lock file with more skills is invalid.' },
  lockedTargets: { value: 200, unit: 'items', about: 'A lock file with a skill in more folders is invalid.' },
  searchLimit: { value: 100, unit: 'items', about: 'The most results that one search returns.' },
  searchQueries: { value: 5, unit: 'items', about: 'The most rephrasings that a query can have.' },
  suggestions: { value: 5, unit: 'items', about: 'Names offered after "did you mean".' },
  replyCharacters: {
    value: 36_000,
    unit: 'characters',
    about: 'A longer reply text is split into pages: from 40,000 characters on, agents cut it or set it aside.',
  },
  replyBytes: {
    value: 45_000,
    unit: 'bytes',
    about:
      'A reply text with more bytes is split into pages too: a character costs a model more in some scripts than in others.',
  },
  replyTotalBytes: {
    value: 1_000_000,
    unit: 'bytes',
    about:
      'No reply of the MCP server is longer: lists come in pages, and what else does not fit is left out and counted.',
  },
  blobBytes: {
    value: 640 * 1024,
    unit: 'bytes',
    about: 'The most bytes of a bundled file, if it is not text, in one reply.',
  },
  bundledFileBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    about: 'A larger bundled file is listed without its hash, and is not served.',
  },
  scannedFileBytes: {
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    about: 'A larger file is not scanned. That is a finding by itself, and the scan is partial.',
  },
  scanFindings: {
    value: 50,
    unit: 'items',
    about:
      'Findings of one rule in one file, the most dangerous first. One more finding has the number of omitted ones.',
  },
  doctorScan: {
    value: 300,
    unit: 'items',
    about: 'With more skills than this, doctor does not scan them; lectern scan does.',
  },
  searchedCharacters: {
    value: 128 * 1024,
    unit: 'characters',
    about: 'How much of a document’s body is searched by meaning. Keyword mode searches all of it.',
  },
  searchCacheBytes: {
    value: 256 * 1024 * 1024,
    unit: 'bytes',
    about: 'The most that one file of the search cache can have; half of it is kept when files are merged.',
  },
  bodyCacheBytes: {
    value: 128 * 1024 * 1024,
    unit: 'bytes',
    about: 'Texts that a server keeps in memory between searches.',
  },
  httpConnections: {
    value: 4_096,
    unit: 'items',
    about:
      'Connections of HTTP clients, or half of the files that the process may open if that is less; one more closes the connection that has been idle longest.',
  },
  skillSettle: {
    value: 200,
    unit: 'milliseconds',
    about: 'A SKILL.md that changed more recently than this is read again, because it may still be being written.',
  },
  skillSettleSlow: {
    value: 800,
    unit: 'milliseconds',
    about:
      'The same for a SKILL.md that has another end than the version that was served last: it may be written in pieces. Three times the pause between two pieces, if that is longer and was observed.',
  },
  skillSettleMax: {
    value: 3_000,
    unit: 'milliseconds',
    about:
      'No SKILL.md has to stand still for longer. A skill whose SKILL.md was moved away stays listed for this long, if its folder is still there.',
  },
  skillSettleWait: {
    value: 500,
    unit: 'milliseconds',
    about:
      'How long a request waits for a SKILL.md to stand still. Then the version that was served last is served again.',
  },
  firstScanWait: {
    value: 400,
    unit: 'milliseconds',
    about:
      'How long a request for a list waits for the first scan of a server. Then it is answered with the list of the last run, if there is one, and clients are notified if the scan finds another.',
  },
  keptSkillBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    about: 'Versions of loaded skills that a server keeps, to serve them again while their files are being written.',
  },
  httpSessions: {
    value: 256,
    unit: 'items',
    about: 'Sessions of HTTP clients; one more closes one of the caller that has the most, the longest idle first.',
  },
  httpSessionIdle: {
    value: 30 * 60 * 1000,
    unit: 'milliseconds',
    about: 'A session that is not used for this long is closed.',
  },
  tokenCharacters: {
    value: 16,
    unit: 'characters',
    about: 'A server that other machines can reach refuses to start with a shorter token.',
  },
  signInTries: {
    value: 10,
    unit: 'items',
    about:
      'After this many wrong tokens from one address, the form to sign in makes it wait before the next one: a second, and twice as long each time.',
  },
  signInWait: {
    value: 60_000,
    unit: 'milliseconds',
    about: 'The longest wait between two tokens in the form to sign in.',
  },
  signInAddresses: {
    value: 1_000,
    unit: 'items',
    about: 'Addresses whose wrong tokens are counted; the one whose last try is longest ago is forgotten first.',
  },
  drainQuiet: {
    value: 15_000,
    unit: 'milliseconds',
    about:
      'A server that ends drops the calls under way if no reply is finished or accepted for this long. Time in which the process does not run is not counted.',
  },
  drainTotal: {
    value: 60_000,
    unit: 'milliseconds',
    about: 'A server that ends waits at most this long for the calls under way.',
  },
  watchedFolders: {
    value: 20_000,
    unit: 'folders',
    about: 'With more folders than this, changes are found by scanning instead of watching.',
  },
} as const satisfies Record<string, Limit>;
