/**
 * The registry: every operation, in the order of help and docs. To add an operation, add its file and a line here. Commands,
 * tools, library methods and reference pages derive from it.
 */
import { agentList } from './agent-list.ts';
import { agentSearch } from './agent-search.ts';
import { agents } from './agents.ts';
import { archiveChange } from './archive-change.ts';
import { changeOverlaps } from './change-overlaps.ts';
import { changeStates } from './change-states.ts';
import { changeStatus } from './change-status.ts';
import { clearIndex } from './clear-index.ts';
import { context } from './context.ts';
import { diffChange } from './diff-change.ts';
import { doctor } from './doctor.ts';
import { fitList } from './fit.ts';
import { getChange } from './get-change.ts';
import { getScenario } from './get-scenario.ts';
import { getSpecRequirements } from './get-spec-requirements.ts';
import { indexStatus } from './index-status.ts';
import { installSkills } from './install-skills.ts';
import { listChanges } from './list-changes.ts';
import { listSkills } from './list-skills.ts';
import { listSource } from './list-source.ts';
import { listSpecs } from './list-specs.ts';
import { loadSkill } from './load-skill.ts';
import { newChange } from './new-change.ts';
import { newSkill } from './new-skill.ts';
import { outdatedSkills } from './outdated-skills.ts';
import { overview } from './overview.ts';
import { publish, rollbackSource, sourceHistory } from './publish.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { removeInstalled } from './remove-skills.ts';
import { scanSkills } from './scan-skills.ts';
import { search } from './search.ts';
import { searchSpecs } from './search-specs.ts';
import { setupClient } from './setup-client.ts';
import {
  addGrant,
  addSource,
  addTeam,
  addToken,
  databaseStatus,
  listTokens,
  migrateDatabase,
  checkDatabase,
  pruneDatabase,
  removeGrant,
  removeSource,
  removeTeam,
  revokeToken,
} from './shared-admin.ts';
import { listGrants, listSources, listTeams, showAudit, sourceUsage } from './shared-lists.ts';
import { shareSkills } from './share-skills.ts';
import { showChange } from './show-change.ts';
import { showSkill } from './show-skill.ts';
import { showSpec } from './show-spec.ts';
import { skillFile } from './skill-file.ts';
import { skillOverlaps } from './skill-overlaps.ts';
import { specCounts } from './spec-counts.ts';
import { syncSkills } from './sync-skills.ts';
import { disableSkills, enableSkills } from './toggle-skills.ts';
import { tryCommand } from './try.ts';
import { tryRequest } from './try-request.ts';
import { uninstall } from './uninstall.ts';
import { updateSkills } from './update-skills.ts';
import { validateSkills } from './validate-skills.ts';
import { validateChange, validateSpec } from './validate-specs.ts';
import { usage } from './usage.ts';
import { verifySkills } from './verify-skills.ts';
import { viewChanges } from './view-changes.ts';
import { why } from './why.ts';

export const OPERATIONS = [
  overview,
  listSkills,
  showSkill,
  search,
  agents,
  context,
  why,
  tryCommand,
  skillOverlaps,
  usage,
  validateSkills,
  scanSkills,
  doctor,
  enableSkills,
  disableSkills,
  fitList,
  newSkill,
  installSkills,
  listSource,
  shareSkills,
  outdatedSkills,
  updateSkills,
  removeInstalled,
  verifySkills,
  syncSkills,
  uninstall,
  loadSkill,
  agentList,
  agentSearch,
  skillFile,
  tryRequest,
  listSpecs,
  specCounts,
  showSpec,
  getSpecRequirements,
  getScenario,
  searchSpecs,
  listChanges,
  changeStates,
  viewChanges,
  changeStatus,
  getChange,
  showChange,
  validateSpec,
  validateChange,
  diffChange,
  changeOverlaps,
  newChange,
  archiveChange,
  rebuildIndex,
  indexStatus,
  clearIndex,
  setupClient,
  publish,
  sourceHistory,
  rollbackSource,
  migrateDatabase,
  databaseStatus,
  checkDatabase,
  pruneDatabase,
  addTeam,
  listTeams,
  removeTeam,
  addSource,
  listSources,
  removeSource,
  sourceUsage,
  addGrant,
  removeGrant,
  listGrants,
  addToken,
  listTokens,
  revokeToken,
  showAudit,
] as const;
