/** The page: which address shows which view. A new view is one file in `pages/` and one line here; its twin comes with it. */
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
import { overviewPage } from './pages/overview.tsx';
import { problemsPage } from './pages/problems.tsx';
import { searchPage } from './pages/search.tsx';
import { skillFilePage } from './pages/skill-file.tsx';
import { skillsPage } from './pages/skills.tsx';
import { skillPage } from './pages/skill.tsx';
import { specPage } from './pages/spec.tsx';
import { sourcePage } from './pages/source.tsx';
import { sourcesPage } from './pages/sources.tsx';
import { catalogSpecsPage, specsPage } from './pages/specs.tsx';
import { whyPage } from './pages/why.tsx';

/** For a project on this machine. Of two patterns that fit, the first wins. */
export const PAGES: readonly Page[] = [
  overviewPage,
  skillsPage,
  skillPage,
  skillFilePage,
  agentsPage,
  agentPage,
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
 * For a shared catalog: without what is about this machine. There are no problems, because to find them takes reading everything
 * that is visible, and the page of a skill or spec has its own.
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
    // It never asks for more than a dry run, which only reads.
    changeAfterPage,
    changeDocumentPage,
    sourcesPage,
    sourcePage(readHistory),
    searchPage,
  ];
}
