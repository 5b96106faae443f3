/** The page: which address shows which view. A new view is one file in `pages/` and one line here; its twin comes with it. */
import type { View } from './view.ts';
import { agentView } from './pages/agent.tsx';
import { agentsView } from './pages/agents.tsx';
import { changeAfterView } from './pages/change-after.tsx';
import { changeDocumentView } from './pages/change-document.tsx';
import { changeView } from './pages/change.tsx';
import { changesView } from './pages/changes.tsx';
import { compareView } from './pages/compare.tsx';
import { overviewView } from './pages/overview.tsx';
import { problemsView } from './pages/problems.tsx';
import { searchView } from './pages/search.tsx';
import { skillFileView } from './pages/skill-file.tsx';
import { skillsView } from './pages/skills.tsx';
import { skillView } from './pages/skill.tsx';
import { specView } from './pages/spec.tsx';
import { specsView } from './pages/specs.tsx';
import { whyView } from './pages/why.tsx';

/** Of two patterns that fit, the first wins. */
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
