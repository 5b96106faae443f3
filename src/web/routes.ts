/** The pages of the web interface. To add one, write a file in `pages/` and add a line here; its JSON twin is derived. */
import type { Page } from './page.ts';
import type { ReadHistory } from './catalog/source-history.ts';
import { agentPage } from './pages/agent.tsx';
import { agentsPage } from './pages/agents.tsx';
import { catalogOverviewPage } from './pages/catalog-overview.tsx';
import { catalogSkillsPage } from './pages/catalog-skills.tsx';
import { changeAfterPage } from './pages/change-after.tsx';
import { changeDocumentPage } from './pages/change-document.tsx';
import { changePage } from './pages/change.tsx';
import { catalogChangesPage, changesPage } from './pages/changes.tsx';
import { comparePage } from './pages/compare.tsx';
import { contextPage } from './pages/context.tsx';
import { fitPage } from './pages/fit.tsx';
import { overviewPage } from './pages/overview.tsx';
import { problemsPage } from './pages/problems.tsx';
import { searchPage } from './pages/search.tsx';
import { skillFilePage } from './pages/skill/file.tsx';
import { skillsPage } from './pages/skills.tsx';
import { skillPage } from './pages/skill/page.tsx';
import { specPage } from './pages/spec.tsx';
import { sourcePage } from './pages/source.tsx';
import { sourcesPage } from './pages/sources.tsx';
import { catalogSpecsPage, specsPage } from './pages/specs.tsx';
import { tryPage } from './pages/try.tsx';
import { whyPage } from './pages/why.tsx';

/** Pages of a project on this machine. The first matching pattern wins. */
export const PAGES: readonly Page[] = [
  overviewPage,
  skillsPage,
  skillPage,
  skillFilePage,
  agentsPage,
  tryPage,
  agentPage,
  contextPage,
  fitPage,
  whyPage,
  specsPage,
  specPage,
  changesPage,
  comparePage,
  changePage,
  changeAfterPage,
  changeDocumentPage,
  problemsPage,
  searchPage,
];

/**
 * Pages of a shared catalog, without those about the local machine. There is no problems page, because finding all problems
 * means reading everything the caller can see. The page of each skill or spec shows its own.
 */
export function catalogPages(readHistory: ReadHistory): readonly Page[] {
  return [
    catalogOverviewPage,
    catalogSkillsPage,
    skillPage,
    skillFilePage,
    catalogSpecsPage,
    specPage,
    catalogChangesPage,
    comparePage,
    changePage,
    // Read-only: it only performs dry runs.
    changeAfterPage,
    changeDocumentPage,
    sourcesPage,
    sourcePage(readHistory),
    searchPage,
  ];
}
