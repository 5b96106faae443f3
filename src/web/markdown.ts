/**
 * Renders untrusted Markdown. This is the only file that adds unescaped text to a page. The result contains only HTML that the
 * renderer writes, no image is loaded, and every address passes the same check.
 */
import MarkdownIt from 'markdown-it';
import { raw } from 'hono/html';
import type { Html } from './html.tsx';
import { isWebAddress } from './html.tsx';

export interface MarkdownLinks {
  /** Returns the address of a file that the text links to by a relative path; undefined if the file does not exist. */
  fileAddress?(path: string): string | undefined;
}

const NESTING_MAX = 20;
/** Longer texts are shown in parts. */
export const MARKDOWN_CHARACTERS = 64 * 1024;

/** Shifts the headings of the text below the page's own. */
const HEADINGS_BELOW = 1;

export function markdown(text: string, links: MarkdownLinks = {}): Html {
  const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: NESTING_MAX });
  // Addresses are checked below, where a rejected link becomes text.
  parser.validateLink = () => true;
  const addressOf = (href: string): string | undefined => {
    if (isWebAddress(href)) return href;
    if (/^[a-z][a-z0-9+.-]*:|^[/\\#?]/iu.test(href)) return undefined;
    const [path = ''] = href.split(/[#?]/u, 1);
    return links.fileAddress?.(decoded(path).replace(/^\.\//u, ''));
  };
  const { rules } = parser.renderer;
  const escape = parser.utils.escapeHtml;
  const open: boolean[] = [];
  rules['link_open'] = (tokens, index) => {
    const address = addressOf(String(tokens[index]?.attrGet('href') ?? ''));
    open.push(address !== undefined);
    if (address === undefined) return '<span class="dead">';
    const rel = address.startsWith('/') ? '' : ' rel="noopener noreferrer"';
    return `<a href="${escape(address)}"${rel}>`;
  };
  rules['link_close'] = () => (open.pop() ? '</a>' : '</span>');
  rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const alt = escape(token?.content ?? '');
    const address = addressOf(String(token?.attrGet('src') ?? ''));
    const label = `image: ${alt === '' ? 'no description' : alt}`;
    return address?.startsWith('/')
      ? `<a href="${escape(address)}">${label}</a>`
      : `<span class="dead">${label}</span>`;
  };
  for (const rule of ['heading_open', 'heading_close'] as const)
    rules[rule] = (tokens, index) => {
      const level = Math.min(6, Number(tokens[index]?.tag.slice(1) ?? 1) + HEADINGS_BELOW);
      return rule === 'heading_open' ? `<h${level}>` : `</h${level}>\n`;
    };
  const block = (content: string): string => `<pre tabindex="0"><code>${escape(content)}</code></pre>\n`;
  rules['fence'] = (tokens, index) => block(tokens[index]?.content ?? '');
  rules['code_block'] = (tokens, index) => block(tokens[index]?.content ?? '');
  // Column alignment uses a style attribute, which our policy forbids.
  rules['th_open'] = () => '<th>';
  rules['td_open'] = () => '<td>';
  rules['table_open'] = () => '<div class="wide" tabindex="0"><table>';
  rules['table_close'] = () => '</table></div>';
  return raw(parser.render(text));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
