/** The page: which address shows which view. A new view is one file in `pages/` and one line here; its twin comes with it. */
import type { View } from './view.ts';
import { overviewView } from './pages/overview.tsx';

export const VIEWS: readonly View[] = [overviewView];
