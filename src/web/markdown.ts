/**
 * Markdown from strangers as markup. The only file that puts text into a page without escaping it. There is no HTML in the
 * result but what the renderer writes, no image is fetched, and every address passes one check.
 */
import MarkdownIt from 'markdown-it';
import { raw } from 'hono/html';
import type { Html } from './html.tsx';
import { isWebAddress } from './html.tsx';

export interface MarkdownLinks {
  /** Our address of a file that the text mentions by a relative path; undefined if there is no such file. */
  fileAddress?(path: string): string | undefined;
}

const NESTING_MAX = 20;
/** The rest is on demand. */
export const MARKDOWN_CHARACTERS = 64 * 1024;

/** In the page, headings of a text are below those of the page. */
const HEADINGS_BELOW = 1;

export function markdown(text: string, links: MarkdownLinks = {}): Html {
  const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: NESTING_MAX });
  // Addresses are checked below, where a link that leads nowhere can become text.
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
  // Columns of tables are aligned by an attribute that our policy forbids.
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
