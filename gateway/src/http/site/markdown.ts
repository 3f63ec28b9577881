import { html, type Html } from '../pages/html.ts';

/**
 * Renders the little Markdown that our descriptions use: paragraphs, lists with `-` or numbers, and
 * `code`. Everything else is text.
 */
export function markdown(text: string): Html {
  const blocks = text.split(/\n{2,}/).flatMap(splitLists);
  return html`${blocks.map(block)}`;
}

/** A line of text with `code` in it, without a paragraph around. */
export function inlineMarkdown(text: string): Html {
  const parts = text.split(/`([^`]*)`/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

const item = /^(?:-|\d+\.) +/;

/** A list may follow a line of text without an empty line between. */
function splitLists(text: string): string[][] {
  const blocks: string[][] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const last = blocks.at(-1);
    if (last && item.test(last[0] ?? '') === item.test(line)) last.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function block(lines: readonly string[]): Html {
  const [first = ''] = lines;
  if (!item.test(first)) return html`<p>${inlineMarkdown(lines.join(' '))}</p>`;
  const items = lines.map((line) => html`<li>${inlineMarkdown(line.replace(item, ''))}</li>`);
  return first.startsWith('-')
    ? html`<ul>
        ${items}
      </ul>`
    : html`<ol>
        ${items}
      </ol>`;
}
