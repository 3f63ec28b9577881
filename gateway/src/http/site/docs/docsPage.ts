import { errorCodes, failureCodes, type ErrorCode } from '@framegate/contract';
import { html, type Html } from '../pages/html.ts';
import { brand, renderDocument } from '../pages/layout.ts';
import { operationsOf, type ApiDocument, type PlacedOperation } from './apiDocument.ts';
import { operationSection } from './operationSection.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { schemaFields } from './schemaFields.ts';

/** Objects of answers, in the order in which a reader meets them. */
const objects = ['Generation', 'ModelList', 'CreditBalance', 'Error'];

/** The reference of the API as one static page, made from its OpenAPI document. */
export function docsPage(api: ApiDocument, basePath: string): string {
  const groups = groupsOf(api);
  const content = html`<a class="skip" href="#content">Skip to content</a>
    <header class="top">
      ${brand('/')}
      <a class="download" href="${basePath}/openapi.json">OpenAPI</a>
    </header>
    <div class="layout">
      ${navigation(groups)}
      <main id="content">
        ${introduction(api)}
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
  return renderDocument({ title: api.info.title, stylesheet: '/site/site.css', body: content });
}

interface Group {
  name: string;
  description: string;
  operations: PlacedOperation[];
}

function groupsOf(api: ApiDocument): Group[] {
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

function navigation(groups: readonly Group[]): Html {
  const sections = groups.map(
    ({ name, operations }) =>
      html`<li>
        <a href="#${idOf(name)}">${name}</a>
        <ul>
          ${operations.map(
            ({ method, operation }) =>
              html`<li>
                <a href="#${operation.operationId}"
                  ><span class="method ${method.toLowerCase()}">${method}</span>
                  ${operation.summary}</a
                >
              </li>`,
          )}
        </ul>
      </li>`,
  );
  const entries = objects.map((name) => html`<li><a href="#object-${name}">${name}</a></li>`);
  return html`<nav aria-label="Contents">
    <ul>
      <li><a href="#content">Start</a></li>
      ${sections}
      <li>
        <a href="#objects">Objects</a>
        <ul>
          ${entries}
        </ul>
      </li>
      <li><a href="#errors">Errors</a></li>
      <li><a href="#failures">Failures</a></li>
    </ul>
  </nav>`;
}

function introduction(api: ApiDocument): Html {
  const schemes = Object.values(api.components?.securitySchemes ?? {});
  return html`<h1>${api.info.title} <span class="version">${api.info.version}</span></h1>
    ${markdown(api.info.description ?? '')}
    <dl class="facts">
      <dt>Base address</dt>
      <dd><code>${api.servers[0]?.url}</code></dd>
      <dt>Key</dt>
      <dd>
        <code>Authorization: Bearer fg_live_…</code>
        ${schemes.map(({ description }) => html`<br />${inlineMarkdown(description ?? '')}`)}
      </dd>
    </dl>`;
}

function objectSection(api: ApiDocument, name: string): Html | null {
  const schema = api.components?.schemas?.[name];
  if (!schema) return null;
  return html`<section id="object-${name}">
    <h3>${name}</h3>
    ${schemaFields(api, schema)}
  </section>`;
}

/** Every code of a refused request, by status. */
function errorSection(): Html {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const byStatus = [...Map.groupBy(codes, (code) => errorCodes[code].status)];
  return html`<h2 id="errors">Errors</h2>
    <p>
      Each refusal has an <a href="#object-Error">Error</a> as its body. Branch on
      <code>error.code</code>, show <code>error.message</code> to people, and give
      <code>error.request_id</code> to support.
    </p>
    ${byStatus.map(
      ([status, group]) =>
        html`<h3>${status}</h3>
          <dl class="errors">
            ${group.map((code) => entry(`error-${code}`, code, errorCodes[code]))}
          </dl>`,
    )}`;
}

/** Every code with which a generation may fail. */
function failureSection(): Html {
  return html`<h2 id="failures">Failures</h2>
    <p>
      A generation that fails says why in its <code>error</code>, and is refunded in full. It is
      final: to try again, create a new one.
    </p>
    <dl class="errors">
      ${Object.entries(failureCodes).map(([code, failure]) =>
        entry(`failure-${code}`, code, failure),
      )}
    </dl>`;
}

function entry(id: string, code: string, about: { retryable: boolean; message: string }): Html {
  return html`<dt id="${id}">
      <code>${code}</code>
      ${about.retryable ? html`<span class="retryable">retryable</span>` : null}
    </dt>
    <dd>${about.message}</dd>`;
}
