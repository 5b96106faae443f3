import type { State } from '../../skills/filter.ts';
import { type FlagValues, isSet } from '../flags.ts';

export function stateOf(flags: FlagValues): State {
  if (isSet(flags, 'all')) return 'all';
  return isSet(flags, 'disabled') ? 'disabled' : 'enabled';
}
