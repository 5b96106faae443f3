/** The page: which address shows which view. A new view is one file in `pages/` and one line here; its twin comes with it. */
import type { View } from './view.ts';
import type { ReadHistory } from './catalog/source-history.ts';
import { agentView } from './pages/agent.tsx';
import { agentsView } from './pages/agents.tsx';
import { catalogOverviewView } from './pages/catalog-overview.tsx';
import { catalogSkillsView } from './pages/catalog-skills.tsx';
import { changeAfterView } from './pages/change-after.tsx';
import { changeDocumentView } from './pages/change-document.tsx';
import { changeView } from './pages/change.tsx';
import { catalogChangesView, changesView } from './pages/changes.tsx';
import { compareView } from './pages/compare.tsx';
import { overviewView } from './pages/overview.tsx';
import { problemsView } from './pages/problems.tsx';
import { searchView } from './pages/search.tsx';
import { skillFileView } from './pages/skill-file.tsx';
import { skillsView } from './pages/skills.tsx';
import { skillView } from './pages/skill.tsx';
import { specView } from './pages/spec.tsx';
import { sourceView } from './pages/source.tsx';
import { sourcesView } from './pages/sources.tsx';
import { catalogSpecsView, specsView } from './pages/specs.tsx';
import { whyView } from './pages/why.tsx';

/** For a project on this machine. Of two patterns that fit, the first wins. */
export const VIEWS: readonly View[] = [
  overviewView,
  skillsView,
  skillView,
  skillFileView,
  agentsView,
  agentView,
  whyView,
  specsView,
  specView,
  changesView,
  compareView,
  changeView,
  changeAfterView,
  changeDocumentView,
  problemsView,
  searchView,
];

/**
 * For a shared catalog: without what is about this machine. There are no problems, because to find them takes reading everything
 * that is visible, and the page of a skill or spec has its own.
 */
export function catalogViews(readHistory: ReadHistory): readonly View[] {
  return [
    catalogOverviewView,
    catalogSkillsView,
    skillView,
    skillFileView,
    catalogSpecsView,
    specView,
    catalogChangesView,
    compareView,
    changeView,
    // It never asks for more than a dry run, which only reads.
    changeAfterView,
    changeDocumentView,
    sourcesView,
    sourceView(readHistory),
    searchView,
  ];
}
