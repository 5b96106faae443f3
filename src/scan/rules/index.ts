/** Every rule of the scan, in the order of the categories. To add a rule, create its file and list it here. */
import type { ScanRule } from '../rule.ts';
import { agentConfigured } from './agent-configured.ts';
import { blobEncoded } from './blob-encoded.ts';
import { codeEncoded } from './code-encoded.ts';
import { commandExpanded } from './command-expanded.ts';
import { contentOpaque } from './content-opaque.ts';
import { credentialsRead } from './credentials-read.ts';
import { dataDestroyed } from './data-destroyed.ts';
import { dataSent } from './data-sent.ts';
import { downloadRun } from './download-run.ts';
import { fileRunsItself } from './file-runs-itself.ts';
import { guardDisabled } from './guard-disabled.ts';
import { hooksDeclared } from './hooks-declared.ts';
import { instructionsFetched } from './instructions-fetched.ts';
import { instructionsOverridden } from './instructions-overridden.ts';
import { nameConfusable } from './name-confusable.ts';
import { packageForeign } from './package-foreign.ts';
import { packageLookalike } from './package-lookalike.ts';
import { permissionsSkipped } from './permissions-skipped.ts';
import { pipeToShell } from './pipe-to-shell.ts';
import { prerequisiteFake } from './prerequisite-fake.ts';
import { secretPresent } from './secret-present.ts';
import { startupChanged } from './startup-changed.ts';
import { textConcealed } from './text-concealed.ts';
import { textInvisible } from './text-invisible.ts';
import { toolsUnlimited } from './tools-unlimited.ts';
import { userDeceived } from './user-deceived.ts';
import { vendorClaimed } from './vendor-claimed.ts';
import { wrapperForged } from './wrapper-forged.ts';

export const SCAN_RULES: readonly ScanRule[] = [
  textInvisible,
  textConcealed,
  instructionsOverridden,
  userDeceived,
  wrapperForged,
  permissionsSkipped,
  guardDisabled,
  pipeToShell,
  downloadRun,
  prerequisiteFake,
  instructionsFetched,
  hooksDeclared,
  commandExpanded,
  fileRunsItself,
  codeEncoded,
  blobEncoded,
  credentialsRead,
  dataSent,
  startupChanged,
  agentConfigured,
  nameConfusable,
  vendorClaimed,
  toolsUnlimited,
  packageForeign,
  packageLookalike,
  secretPresent,
  contentOpaque,
  dataDestroyed,
];
