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
  const levels = new HeadingLevels();
  for (const rule of ['paragraph_open', 'bullet_list_open', 'ordered_list_open', 'list_item_open', 'blockquote_open'])
    rules[rule] = (tokens, index, options, _, renderer) => {
      tokens[index]?.attrSet('dir', 'auto');
      return renderer.renderToken(tokens, index, options);
    };
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
      const level = levels.of(Number(tokens[index]?.tag.slice(1) ?? 1), rule === 'heading_open');
      return rule === 'heading_open' ? `<h${level} dir="auto">` : `</h${level}>\n`;
    };
  const block = (content: string): string => `<pre tabindex="0"><code>${escape(content)}</code></pre>\n`;
  rules['fence'] = (tokens, index) => block(tokens[index]?.content ?? '');
  rules['code_block'] = (tokens, index) => block(tokens[index]?.content ?? '');
  // Column alignment uses a style attribute, which our policy forbids.
  rules['th_open'] = () => '<th dir="auto">';
  rules['td_open'] = () => '<td dir="auto">';
  rules['table_open'] = () => '<div class="wide" tabindex="0"><table>';
  rules['table_close'] = () => '</table></div>';
  return raw(parser.render(text));
}

/** Texts skip levels, and begin with any. Readers that move from heading to heading need every level in between. */
class HeadingLevels {
  readonly #above: number[] = [];

  of(written: number, isOpening: boolean): number {
    if (isOpening) {
      while ((this.#above.at(-1) ?? 0) >= written) this.#above.pop();
      this.#above.push(written);
    }
    return Math.min(6, this.#above.length + HEADINGS_BELOW);
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
