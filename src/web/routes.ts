/** The page: which address shows which view. A new view is one file in `pages/` and one line here; its twin comes with it. */
import type { View } from './view.ts';
import { agentView } from './pages/agent.tsx';
import { agentsView } from './pages/agents.tsx';
import { overviewView } from './pages/overview.tsx';
import { whyView } from './pages/why.tsx';

export const VIEWS: readonly View[] = [overviewView, agentsView, agentView, whyView];
