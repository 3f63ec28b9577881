import { Marked } from 'marked';
import { text } from '../../../texts/text.ts';
import { type Html, html } from '../../pages/html.ts';
import { sampleLanguages, type Samples } from './samples.ts';

/** A code block, to which the page's script adds a copy button. */
export function codeBlock(code: string): Html {
  return html`<pre><code>${code}</code></pre>`;
}

/** A coloured badge for an HTTP method. */
export function methodBadge(method: string): Html {
  return html`<span class="badge ${method === 'POST' ? 'accent' : 'progress'}">${method}</span>`;
}

/**
 * A call in several languages. Tabs are radio buttons and work without a script; the page's script applies the
 * choice to all samples.
 * @param id Unique id within the page.
 */
export function sampleTabs(id: string, samples: Samples): Html {
  const available = sampleLanguages.flatMap(({ name }) => {
    const code = samples[name];
    return code === undefined ? [] : [{ name, code }];
  });
  const [first, ...others] = available;
  if (first === undefined) return html``;
  if (others.length === 0) return codeBlock(first.code);
  return html`<fieldset class="tabs">
    <legend class="visually-hidden">${text('site.language')}</legend>
    ${available.map(
      ({ name, code }) =>
        html`<label class="choice"
            ><input
              type="radio"
              name="${id}"
              id="${id}-${name}"
              value="${name}"
              ${name === first.name && html`checked`}
            /><span>${name}</span></label
          >${codeBlock(code)}`,
    )}
  </fieldset>`;
}

/** Parser for our own texts; HTML in them is escaped nevertheless. */
const marked = new Marked({
  renderer: {
    html: (token) => html`${token.text}`.markup,
    code: (token) => codeBlock(token.text).markup,
    // Wide tables scroll within the page.
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

/** Converts Markdown to HTML. */
export function markdown(source: string): Html {
  return { markup: marked.parse(source, { async: false }) };
}

/** Converts a line of Markdown to HTML without a paragraph. */
export function inlineMarkdown(source: string): Html {
  return { markup: marked.parseInline(source, { async: false }) };
}
