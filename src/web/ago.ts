/** Formats a time relative to now. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function ago(then: number, now = Date.now()): string {
  const past = now - then;
  if (past < MINUTE) return 'just now';
  if (past < HOUR) return some(past / MINUTE, 'minute');
  if (past < DAY) return some(past / HOUR, 'hour');
  if (past < 2 * DAY) return 'yesterday';
  if (past < 60 * DAY) return some(past / DAY, 'day');
  return new Date(then).toISOString().slice(0, 10);
}

function some(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`;
}
