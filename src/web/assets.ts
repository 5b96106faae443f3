/** The script and the style sheet. Their addresses contain a hash, so browsers may cache them permanently. */
import { createHash } from 'node:crypto';

declare const LECTERN_SCRIPT: string | undefined;
declare const LECTERN_STYLES: string | undefined;

export interface Asset {
  path: string;
  type: string;
  text: string;
}

/** Set by the build. When run from source, pages have no styles and no script but are complete. */
const SCRIPT = typeof LECTERN_SCRIPT === 'string' ? LECTERN_SCRIPT : '';
const STYLES = typeof LECTERN_STYLES === 'string' ? LECTERN_STYLES : '';

function asset(name: string, extension: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { path: `/assets/${name}-${hash}.${extension}`, type, text };
}

export const script = asset('app', 'js', 'text/javascript; charset=utf-8', SCRIPT);
export const styles = asset('lectern', 'css', 'text/css; charset=utf-8', STYLES);

export const icon: Asset = {
  path: '/assets/icon.svg',
  type: 'image/svg+xml',
  text: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="20" height="20" rx="4" fill="#faf8f3"/><path d="M3 5 17 3v5L3 10zM9.5 9.3V15M6 17h7.5M9.7 15v2" fill="none" stroke="#22518f" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"/></svg>',
};
