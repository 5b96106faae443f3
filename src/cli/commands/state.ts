import type { State } from '../../skills/filter.js';
import { type FlagValues, isSet } from '../flags.js';

export function stateOf(flags: FlagValues): State {
  if (isSet(flags, 'all')) return 'all';
  return isSet(flags, 'disabled') ? 'disabled' : 'enabled';
}
