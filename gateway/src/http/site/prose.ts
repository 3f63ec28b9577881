import { html, type Html } from './html.ts';

/**
 * Renders the little Markdown that our descriptions use: paragraphs, lists with `-` or numbers, and
 * `code`. Everything else is text.
 */
export function prose(text: string): Html {
  const blocks = text.split(/\n{2,}/).flatMap(splitLists);
  return html`${blocks.map(block)}`;
}

/** Words with `code` in them, without a paragraph around. */
export function inline(text: string): Html {
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
  if (!item.test(first)) return html`<p>${inline(lines.join(' '))}</p>`;
  const items = lines.map((line) => html`<li>${inline(line.replace(item, ''))}</li>`);
  return first.startsWith('-')
    ? html`<ul>
        ${items}
      </ul>`
    : html`<ol>
        ${items}
      </ol>`;
}
