import { createHash } from 'node:crypto';
import { type ErrorCode, errorCodes, failureCodes } from '@framegate/contract';
import type { Brand } from '../../../domain/brand/brand.ts';
import { refundRule } from '../../../domain/credits/refund.ts';
import { designWith } from '../../pages/assetFiles.ts';
import { brandLink } from '../../pages/brand.ts';
import { renderDocument } from '../../pages/document.ts';
import { type Html, html } from '../../pages/html.ts';
import { type ApiDocument, type DocumentedOperation, operationsOf } from './apiDocument.ts';
import { markdown, methodBadge, sampleTabs } from './elements.ts';
import type { DocsFacts, Guide } from './facts.ts';
import { guidesOf } from './guides/index.ts';
import { operationSection, schemaFields } from './operationSection.ts';

/** Objects of responses, from top to bottom. */
export const objects = ['Generation', 'ModelList', 'CreditBalance', 'Error'];

/** Inline style sheet, which saves a second request on slow connections. */
const styleOf = (brand: Brand) => designWith(brand, 'docs.css');

/** Hash of the inline style sheet for the Content-Security-Policy. */
export const styleSource = (brand: Brand): string =>
  `'sha256-${createHash('sha256').update(styleOf(brand)).digest('base64')}'`;

/** Renders guides and reference as one static page. */
export function docsPage(api: ApiDocument, facts: DocsFacts): string {
  const guides = guidesOf({ api, facts });
  const groups = groupsOf(api);
  const body = html`<header class="top">
      ${brandLink(facts.brand, '/')}
      <span class="who"
        ><a href="/docs.md">Markdown</a>
        <a href="/clients">Clients</a>
        <a href="${new URL(facts.baseUrl).pathname}/openapi.json">OpenAPI</a>
        ${facts.hasAccounts && html`<a href="/settings/public-api">API keys</a>`}</span
      >
    </header>
    <div class="layout">
      ${navigation(guides, groups)}
      <main id="content">
        ${introduction(api)}
        <h2 id="guides">Guides</h2>
        ${guides.map(guideSection)}
        ${groups.map(
          ({ name, description, operations }) =>
            html`<h2 id="${idOf(name)}">${name}</h2>
              <p>${description}</p>
              ${operations.map((place) => operationSection(api, place))}`,
        )}
        <h2 id="objects">Objects</h2>
        ${objects.map((name) => objectSection(api, name))} ${errorSection()} ${failureSection()}
      </main>
    </div>`;
  return renderDocument(facts.brand, {
    title: api.info.title,
    head: {
      markup: `<style>${styleOf(facts.brand)}</style><link rel="alternate" href="/docs.md" type="text/markdown" />`,
    },
    script: '/site/docs.js',
    body,
  });
}

/** The operations of a tag. */
export interface OperationGroup {
  name: string;
  description: string;
  operations: DocumentedOperation[];
}

/** Groups operations by tag, in the order of the document. */
export function groupsOf(api: ApiDocument): OperationGroup[] {
  const operations = operationsOf(api);
  return (api.tags ?? []).map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags?.includes(name)),
  }));
}

function idOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function navigation(guides: readonly Guide[], groups: readonly OperationGroup[]): Html {
  const entry = (id: string, text: string | Html) => html`<li><a href="#${id}">${text}</a></li>`;
  const section = (id: string, title: string, entries: readonly Html[]) =>
    html`<li>
      <a href="#${id}">${title}</a>
      <ul>
        ${entries}
      </ul>
    </li>`;
  const operations = groups.flatMap((group) => group.operations);
  return html`<nav aria-label="Contents">
    <div id="search"></div>
    <ul>
      ${section(
        'guides',
        'Guides',
        guides.map(({ id, title }) => entry(id, title)),
      )}
      ${section(
        idOf(groups[0]?.name ?? ''),
        'Operations',
        operations.map(({ method, operation }) =>
          entry(operation.operationId, html`${methodBadge(method)} ${operation.summary}`),
        ),
      )}
      ${section(
        'objects',
        'Objects',
        objects.map((name) => entry(`object-${name}`, name)),
      )}
      ${entry('errors', 'Errors')} ${entry('failures', 'Failures')}
    </ul>
  </nav>`;
}

function introduction(api: ApiDocument): Html {
  const schemes = Object.values(api.components?.securitySchemes ?? {});
  return html`<h1>${api.info.title} <small>${api.info.version}</small></h1>
    ${markdown(api.info.description ?? '')}
    <dl class="facts tile">
      <dt>Base address</dt>
      <dd><code>${api.servers[0]?.url}</code></dd>
      <dt>Key</dt>
      <dd>
        <code>Authorization: Bearer fg_live_…</code>
        ${schemes.map(({ description = '' }) => html`<br />${description}`)}
      </dd>
    </dl>`;
}

function guideSection({ id, title, parts }: Guide): Html {
  return html`<section class="guide" id="${id}">
    <h3>${title}</h3>
    ${parts.map((part, index) =>
      typeof part === 'string' ? markdown(part) : sampleTabs(`${id}-${index}`, part),
    )}
  </section>`;
}

function objectSection(api: ApiDocument, name: string): Html | null {
  const schema = api.components?.schemas?.[name];
  if (!schema) return null;
  return html`<section id="object-${name}">
    <h3>${name}</h3>
    ${schemaFields(api, schema)}
  </section>`;
}

/** Error codes by status. */
function errorSection(): Html {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const byStatus = [...Map.groupBy(codes, (code) => errorCodes[code].status)];
  return html`<h2 id="errors">Errors</h2>
    <p>
      The body of every refusal is an <a href="#object-Error">Error</a>. See
      <a href="#error-handling">Error handling</a> for what to do.
    </p>
    ${byStatus.map(
      ([status, group]) =>
        html`<h3>${status}</h3>
          <dl>${group.map((code) => entry(`error-${code}`, code, errorCodes[code]))}</dl>`,
    )}`;
}

/** Codes of failed generations. */
function failureSection(): Html {
  return html`<h2 id="failures">Failures</h2>
    <p>
      A failed generation gives the reason in <code>error</code> and is refunded
      ${refundRule.inWords}. Failure is final: to try again, create a new generation.
    </p>
    <dl>
      ${Object.entries(failureCodes).map(([code, failure]) =>
        entry(`failure-${code}`, code, failure),
      )}
    </dl>`;
}

function entry(id: string, code: string, about: { retryable: boolean; message: string }): Html {
  return html`<dt id="${id}">
      <code>${code}</code>
      ${about.retryable && html`<span class="badge accent">retryable</span>`}
    </dt>
    <dd>${about.message}</dd>`;
}
