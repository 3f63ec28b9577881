import { text, textParts } from '../../../texts/text.ts';
import { copyButton } from '../../pages/elements.ts';
import { type Html, html, type HtmlValue, joinHtml, richText } from '../../pages/html.ts';
import type { DocsFacts } from '../docs/facts.ts';
import { type ClientToolId, installationOf, type Name, writtenNames } from './clientTools.ts';

/** Tools in the order of the row, with their common names. */
const toolNames = {
  n8n: 'n8n',
  'zapier-user': 'Zapier',
  'node-red': 'Node-RED',
  activepieces: 'Activepieces',
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
} satisfies Partial<Record<ClientToolId, string>>;
const order = Object.keys(toolNames) as (keyof typeof toolNames)[];

/** The row of tools: each opens to its install line for this gateway, and to the places of URL and key. */
export function toolRow(facts: DocsFacts): Html {
  return html`<h2 id="tools">${text('tools.title')}</h2>
    <div class="inline tools">${order.map((id) => toolPart(id, facts))}</div>
    <p class="quiet"><a href="/clients">${text('tools.all')}</a></p>`;
}

function toolPart(id: keyof typeof toolNames, facts: DocsFacts): Html {
  const { command, next, isMissing } = installationOf(id, facts);
  if (isMissing) {
    const clients = html`<code>npm run clients</code>`;
    return foldedPart(id, html`<p>${richText('tools.notPacked', { command: clients })}</p>`);
  }
  const line = `tool-${id}`;
  return foldedPart(
    id,
    html`${
        command !== null &&
        html`<pre tabindex="0" id="${line}">${command}</pre>
          ${copyButton(line)}`
      }
      <p>${joinHtml(textParts(next.key, writtenNames(next, markedUp)) as HtmlValue[])}</p>`,
  );
}

const markedUp = (name: Name): Html =>
  'code' in name ? html`<code>${name.code}</code>` : html`<strong>${name.label}</strong>`;

/** A part of the row; opening it closes the others. */
const foldedPart = (id: keyof typeof toolNames, inner: Html): Html =>
  html`<details name="tool" id="tools-${id}">
    <summary class="button second">${toolNames[id]}</summary>
    <div class="card">${inner}</div>
  </details>`;
