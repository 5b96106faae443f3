/** Types that the steps of `seenBy` share. */
import type { FoundFile } from '../../skills/walk.ts';
import type { Line } from '../budget.ts';
import type { Fact, Topic } from '../profile.ts';
import type { Read } from '../read-as.ts';
import type { Switch } from '../settings.ts';
import type { Status } from '../status.ts';
import type { AgentPlace, Copy } from '../survey.ts';

export interface Verdict {
  copy: Copy;
  /** Path under which the agent finds the copy. */
  file: string;
  status: Status;
  reason: string;
  /** Copy that the agent uses instead. Null if that is undetermined. */
  winner?: Copy | null;
  fix?: string;
  /** Listed text, if it is not the skill's description. */
  text?: string;
  source: Fact;
}

export type Judge = (
  copy: Copy,
  status: Status,
  topic: Topic,
  reason: string,
  more?: Partial<Pick<Verdict, 'file' | 'fix' | 'winner' | 'text'>> & {
    /** Finds the fix on demand, because most fixes of a large home are never shown. */
    fixFor?: () => string;
  },
) => void;

export interface Candidate {
  copy: Copy;
  at: AgentPlace;
  /** Index of its folder among the places. */
  folder: number;
  found: FoundFile;
  read: Extract<Read, { kind: 'listed' }>;
  /** Name in the list. */
  name: string;
  /** Copies with the same key compete. */
  key: string;
  /** Folder that determines its position in the list. */
  sortedAs?: string;
}

export interface Listed {
  candidate: Candidate | undefined;
  line: Line;
  /** Setting that limits the line to its name. */
  nameOnly: Switch | undefined;
}
