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
    about: 'A longer name in a request is refused without searching for it.',
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
      'A longer resource URI is refused: the longest path has 4,096 bytes, and an encoded byte takes three characters.',
  },
  promptCharacters: {
    value: 20_000,
    unit: 'characters',
    about: 'Longer text that a user adds to a prompt is refused.',
  },
  requestBytes: { value: 4 * 1024 * 1024, unit: 'bytes', about: 'A larger message to a server is refused unread.' },
  requestMarks: {
    value: 60_000,
    unit: 'characters',
    about:
      'A message with more commas and opening brackets, including those in its texts, is refused before it is parsed.',
  },
  requestValues: { value: 2_000, unit: 'items', about: 'A message to a server with more values is refused.' },
  requestCharacters: {
    value: 256 * 1024,
    unit: 'characters',
    about:
      'A message to a server with more characters in all its texts, or with eight times as many bytes, is refused.',
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
    about: 'A server that joins a shared catalog does not read longer answers from it.',
  },
  keptAnswers: {
    value: 2_000,
    unit: 'files',
    about: 'Cached answers of shared catalogs, for use without the network. The oldest are removed first.',
  },
  keptAnswersBytes: { value: 64 * 1024 * 1024, unit: 'bytes', about: 'Total size of these answers.' },
  publishAnswerBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    about: 'publish, rollback and history do not read longer answers from a shared catalog.',
  },
  publishedFileBytes: {
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    about: 'A larger file is not published, nor the skill that contains it.',
  },
  publishedSkillBytes: {
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    about: 'A skill with more in all its files is not published.',
  },
  publishedSourceBytes: {
    value: 512 * 1024 * 1024,
    unit: 'bytes',
    about: 'A source with more bytes in total is not published. Identical files count separately.',
  },
  publishedTextBytes: {
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    about: 'A source with larger SKILL.md files in total is not published: every replica reads and indexes them.',
  },
  publishedSpecBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    about: 'A source with larger specs and changes in total is not published: every replica keeps them in memory.',
  },
  publishedFolders: { value: 20_000, unit: 'items', about: 'A source with more folders is not published.' },
  publishedDepth: { value: 32, unit: 'levels', about: 'A source with a more deeply nested file is not published.' },
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
    about: 'Longer YAML in any other file, such as .openspec.yaml, is refused unless it is very simple.',
  },
  frontmatterDepth: { value: 64, unit: 'levels', about: 'More deeply nested frontmatter is refused.' },
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
      'Maximum number of skills in all views that a replica keeps, at about 40 bytes each. For large catalogs it keeps fewer views.',
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
      'More deeply nested skills are reported, but not loaded. Roots given by --root or --skill-dir have no such limit.',
  },
  walkPeekDepth: {
    value: 256,
    unit: 'levels',
    about: 'Folders below this depth are not searched, not even to report skills.',
  },
  walkEntries: {
    value: 20_000,
    unit: 'entries',
    about: 'Entries examined in one root. The content of skill folders does not count.',
  },
  memoryFiles: {
    value: 500,
    unit: 'files',
    about: 'Memory files and subagents that are examined for the context of an agent. Further ones count as unknown.',
  },
  memoryFileBytes: {
    value: 4 * 1024 * 1024,
    unit: 'bytes',
    about: 'A larger memory file is not examined. Claude Code does not read one either.',
  },
  askedServers: {
    value: 40,
    unit: 'items',
    about:
      'MCP servers that `lectern context --ask-servers` starts or calls. The tools of further ones are not counted.',
  },
  askedMs: {
    value: 120_000,
    unit: 'milliseconds',
    about: 'Time for all these servers together. `--timeout` limits the time of each.',
  },
  askedBytes: { value: 8 * 1024 * 1024, unit: 'bytes', about: 'Such a server that sends more is stopped.' },
  askedTools: { value: 2_000, unit: 'items', about: 'Tools that are counted for such a server.' },
  filterPatterns: {
    value: 500,
    unit: 'items',
    about:
      'Patterns in include, in exclude, or in the permissions of OpenCode. Further patterns of a filter are ignored and reported; OpenCode’s are not evaluated at all.',
  },
  wildcardCharacters: {
    value: 1_024,
    unit: 'characters',
    about: 'Longer names match only exactly, or by a pattern with one star, such as git-*.',
  },
  linkFolders: {
    value: 250,
    unit: 'folders',
    about: 'Folders examined behind a link. If none contains a skill, the search continues elsewhere.',
  },
  surveyFolders: {
    value: 100_000,
    unit: 'folders',
    about: 'Folders examined below one folder of skills, for the lists of agents.',
  },
  addedFolders: {
    value: 20,
    unit: 'folders',
    about: 'Folders of skills that the settings of an agent add. Lectern does not examine more.',
  },
  bundledFiles: {
    value: 5_000,
    unit: 'files',
    about: 'Files listed for one skill. A skill with more is not published.',
  },
  comparedFiles: {
    value: 200,
    unit: 'files',
    about: 'Skills of one name with more files are not compared: they count as different, not as copies.',
  },
  comparedBytes: { value: 4 * 1024 * 1024, unit: 'bytes', about: 'Larger skills of one name are not compared either.' },
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
    about: 'A repository or folder with longer paths in total is not searched either.',
  },
  sourcePathCharacters: {
    value: 2_048,
    unit: 'characters',
    about: 'A repository or folder with a longer path is not searched either.',
  },
  sourceDepth: {
    value: 128,
    unit: 'levels',
    about: 'A repository or folder with a more deeply nested file is not searched either.',
  },
  fetchedBytes: {
    value: 256 * 1024 * 1024,
    unit: 'bytes',
    about:
      'Fetching stops when git has stored more. To install from a larger repository, clone it and install from its folder.',
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
      'Skills that install offers from one source. A note gives the number of omitted skills; --path narrows the search.',
  },
  marketplacePlugins: {
    value: 5_000,
    unit: 'items',
    about: 'Plugins of a marketplace that install examines. A note gives the number of omitted plugins.',
  },
  collectedBytes: {
    value: 512 * 1024 * 1024,
    unit: 'bytes',
    about:
      'Total size of the skills that one install, update or outdated reads. Further skills fail: name fewer at a time.',
  },
  lockedSkills: { value: 5_000, unit: 'items', about: 'A lock file with more skills is invalid.' },
  lockedTargets: { value: 200, unit: 'items', about: 'A lock file with a skill in more folders is invalid.' },
  searchLimit: { value: 100, unit: 'items', about: 'Maximum number of results of one search.' },
  searchQueries: { value: 5, unit: 'items', about: 'Maximum number of rephrasings of a query.' },
  suggestions: { value: 5, unit: 'items', about: 'Names offered after "did you mean".' },
  replyCharacters: {
    value: 36_000,
    unit: 'characters',
    about: 'A longer reply text is split into pages: above 40,000 characters, agents cut it or move it to a file.',
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
      'Maximum size of a reply of the MCP server. Lists are split into pages, and other content that does not fit is omitted and counted.',
  },
  blobBytes: {
    value: 640 * 1024,
    unit: 'bytes',
    about: 'Maximum number of bytes of a binary bundled file in one reply.',
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
      'Findings of one rule in one file, the most dangerous first. A further finding gives the number of omitted ones.',
  },
  countedSkills: {
    value: 500,
    unit: 'items',
    about:
      'With more skills than this, the overview, doctor and the page count only the problems found while reading; lectern validate --all finds them all, and lectern overlap compares their descriptions.',
  },
  doctorScan: {
    value: 300,
    unit: 'items',
    about: 'With more skills than this, doctor does not scan them; lectern scan does.',
  },
  triedCharacters: {
    value: 2_000,
    unit: 'characters',
    about: 'A longer request is refused by lectern try.',
  },
  liveRun: {
    value: 120_000,
    unit: 'milliseconds',
    about: 'An agent that lectern try --with runs is ended after this time.',
  },
  liveVersion: {
    value: 20_000,
    unit: 'milliseconds',
    about: 'Time in which an agent that npm did not install must print its version for lectern try --with.',
  },
  savedRequests: {
    value: 1_000,
    unit: 'items',
    about: 'Requests in skills.requests.yaml. A file with more is refused.',
  },
  savedRequestsBytes: {
    value: 256 * 1024,
    unit: 'bytes',
    about: 'A larger skills.requests.yaml, or a larger file for lectern try --from, is refused.',
  },
  comparedLines: {
    value: 10_000,
    unit: 'items',
    about: 'lectern overlap compares this many different descriptions. Its answer counts the others.',
  },
  triedLines: {
    value: 1_000_000,
    unit: 'items',
    about:
      'lectern overlap scores at most this many lines for saved requests. Its answer counts the requests that were left out.',
  },
  searchedCharacters: {
    value: 128 * 1024,
    unit: 'characters',
    about: 'How much of a document’s body is searched by meaning. Keyword mode searches all of it.',
  },
  searchCacheBytes: {
    value: 256 * 1024 * 1024,
    unit: 'bytes',
    about: 'Maximum size of one file of the search cache. Half of it is kept when files are merged.',
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
      'Maximum number of HTTP connections, or half of the open-file limit of the process if that is less. A further one closes the connection that has been idle longest.',
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
      'The same for a SKILL.md whose end differs from the last served version: it may be written in pieces. If a longer pause between two pieces was observed, three times that pause.',
  },
  skillSettleMax: {
    value: 3_000,
    unit: 'milliseconds',
    about:
      'Longest time that a SKILL.md must stay unchanged. A skill whose SKILL.md was moved away stays listed for this long, if its folder is still there.',
  },
  skillSettleWait: {
    value: 500,
    unit: 'milliseconds',
    about:
      'How long a request waits until a SKILL.md stops changing. After that, the last served version is served again.',
  },
  firstScanWait: {
    value: 400,
    unit: 'milliseconds',
    about:
      'How long a request for a list waits for the first scan of a server. After that, it is answered with the list of the last run, if there is one, and clients are notified if the scan finds a different one.',
  },
  keptSkillBytes: {
    value: 16 * 1024 * 1024,
    unit: 'bytes',
    about: 'Versions of loaded skills that a server keeps, to serve them again while their files are being written.',
  },
  httpSessions: {
    value: 256,
    unit: 'items',
    about:
      'Maximum number of HTTP sessions. A further one closes the longest idle session of the caller that has the most.',
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
      'After this many wrong tokens from one address, the sign-in form requires a pause before the next attempt: one second, then twice as long each time.',
  },
  signInWait: {
    value: 60_000,
    unit: 'milliseconds',
    about: 'The longest pause between two attempts in the sign-in form.',
  },
  signInAddresses: {
    value: 1_000,
    unit: 'items',
    about: 'Addresses whose wrong tokens are counted; the one with the oldest attempt is forgotten first.',
  },
  drainQuiet: {
    value: 15_000,
    unit: 'milliseconds',
    about:
      'A server that shuts down drops pending calls if no reply makes progress for this long. Time in which the process is suspended does not count.',
  },
  drainTotal: {
    value: 60_000,
    unit: 'milliseconds',
    about: 'A server that shuts down waits at most this long for pending calls.',
  },
  sarifResults: {
    value: 25_000,
    unit: 'items',
    about:
      'Findings in a SARIF document, the worst first; the others are counted in a notification. GitHub accepts no more.',
  },
  sarifBytes: {
    value: 10_000_000,
    unit: 'bytes',
    about: 'A SARIF document that is larger after compression gets fewer findings. GitHub accepts no larger one.',
  },
  sarifNotifications: {
    value: 1_000,
    unit: 'items',
    about: 'Notifications in a SARIF document, such as about files that could not be scanned; the others are counted.',
  },
  watchedFolders: {
    value: 20_000,
    unit: 'folders',
    about: 'With more folders than this, changes are found by scanning instead of watching.',
  },
} as const satisfies Record<string, Limit>;
