import { Marked } from 'marked';
import { html, type Html } from '../../pages/html.ts';
import { languages, type Samples } from './samples.ts';

/** Program text. The page's script puts a copy button on it. */
export function codeBlock(text: string): Html {
  return html`<pre><code>${text}</code></pre>`;
}

/** An HTTP method in a colour of its own. */
export function methodBadge(method: string): Html {
  return html`<span class="badge ${method === 'POST' ? 'accent' : 'progress'}">${method}</span>`;
}

/**
 * A call in several languages: tabs that are radio buttons, so that they work without a script. The
 * page's script chooses the same language everywhere.
 * @param id Unique in the page.
 */
export function sampleTabs(id: string, samples: Samples): Html {
  const there = languages.flatMap(({ name }) => {
    const text = samples[name];
    return text === undefined ? [] : [{ name, text }];
  });
  const [first, ...others] = there;
  if (first === undefined) return html``;
  if (others.length === 0) return codeBlock(first.text);
  return html`<fieldset class="tabs">
    <legend class="visually-hidden">Language</legend>
    ${there.map(
      ({ name, text }) =>
        html`<label class="choice"
            ><input
              type="radio"
              name="${id}"
              id="${id}-${name}"
              value="${name}"
              ${name === first.name && html`checked`}
            /><span>${name}</span></label
          >${codeBlock(text)}`,
    )}
  </fieldset>`;
}

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
