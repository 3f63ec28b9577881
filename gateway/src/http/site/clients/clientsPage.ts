import { wordsOf } from '../../../texts/text.ts';
import { designWith } from '../../pages/assetFiles.ts';
import { brandLink } from '../../pages/brand.ts';
import { renderDocument } from '../../pages/document.ts';
import { html } from '../../pages/html.ts';
import { codeBlock, markdown } from '../docs/elements.ts';
import type { DocsFacts } from '../docs/facts.ts';
import { clientPath, type Installation, installations, writtenNames } from './clientTools.ts';

const title = 'Clients';

/** Texts around the list, in Markdown. */
function renderWords(facts: DocsFacts, isEmpty: boolean): string {
  if (isEmpty) {
    return 'This gateway has no packages yet. To build them, its operator runs `npm run clients` in its folder and restarts it.';
  }
  return `Packages for version ${facts.version}, the version of this gateway. [SHA256SUMS](${clientPath('SHA256SUMS')}) lists their checksums; verify your downloads with \`sha256sum --check --ignore-missing SHA256SUMS\`.`;
}

/** The packages of this gateway with one command per tool. */
export function clientsPage(facts: DocsFacts): string {
  const all = installations(facts);
  return renderDocument(facts.brand, {
    title: `${title} · ${facts.brand.name}`,
    head: {
      markup: `<style>${designWith(facts.brand, 'docs.css')}</style><link rel="alternate" href="/clients.md" type="text/markdown" />`,
    },
    script: '/site/docs.js',
    body: html`<header class="top">
        ${brandLink(facts.brand, '/')}
        <span class="who"
          ><a href="/docs">Documentation</a>
          <a href="/clients.md">Markdown</a>
          ${facts.hasAccounts && html`<a href="/settings/public-api">API keys</a>`}</span
        >
      </header>
      <main id="content" class="page layout">
        <h1>${title}</h1>
        ${markdown(renderWords(facts, all.length === 0))}
        ${all.map(
          (each) =>
            html`<section class="guide" id="${each.id}">
              <h2>${each.title}</h2>
              ${codeBlock(each.command ?? '')} ${markdown(nextStep(each))}
              ${markdown(filesOf(each, ''))}
            </section>`,
        )}
      </main>`,
  });
}

/** The page of the clients as Markdown, for agents. */
export function clientsMarkdown(facts: DocsFacts): string {
  const all = installations(facts);
  const sections = all.map(
    (each) =>
      `## ${each.title}\n\n\`\`\`sh\n${each.command ?? ''}\n\`\`\`\n\n${nextStep(each)}\n\n${filesOf(each, facts.siteUrl)}`,
  );
  const intro = renderWords(facts, all.length === 0).replaceAll('](/', `](${facts.siteUrl}/`);
  return `${[`# ${title}`, intro, ...sections].join('\n\n')}\n`;
}

/** The next step, and a note on the package's name. */
function nextStep({ next, note }: Installation): string {
  const names = writtenNames(next, (name) =>
    'code' in name ? `\`${name.code}\`` : `**${name.label}**`,
  );
  const words = wordsOf(next.key, names);
  return note === '' ? words : `${words} ${note}`;
}

/** Links to the files of a tool. */
const filesOf = ({ files }: Installation, origin: string) =>
  files.map(({ name }) => `[${name}](${origin}${clientPath(name)})`).join(', ');
