import { Marked } from 'marked';
import { html, type Html } from '../../pages/html.ts';
import { codeBlock } from './elements.ts';

/** Our own texts only are given; markup in them is shown, not obeyed, all the same. */
const marked = new Marked({
  renderer: {
    html: ({ text }) => html`${text}`.markup,
    code: ({ text }) => codeBlock(text).markup,
    // Wide tables scroll, not the page.
    table(token) {
      const cells = (row: typeof token.header, tag: 'th' | 'td') =>
        row
          .map(({ tokens }) => {
            const scope = tag === 'th' ? ' scope="col"' : '';
            return `<${tag}${scope}>${this.parser.parseInline(tokens)}</${tag}>`;
          })
          .join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
      return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>`;
    },
  },
});

/** Markdown as HTML. */
export function markdown(text: string): Html {
  return { markup: marked.parse(text, { async: false }) };
}

/** A line of Markdown, without a paragraph around. */
export function inlineMarkdown(text: string): Html {
  return { markup: marked.parseInline(text, { async: false }) };
}
