import { html, type Html } from '../../pages/html.ts';
import {
  headerOf,
  nameOf,
  type Answer,
  type ApiDocument,
  type Content,
  type PlacedOperation,
} from './apiDocument.ts';
import { codeBlock, methodBadge, sampleTabs } from './elements.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { callsOf, examplesOf } from './samples.ts';
import { schemaFields, typeOf } from './schemaFields.ts';

/** One operation: what it takes, what it answers, and how to call it. */
export function operationSection(api: ApiDocument, place: PlacedOperation): Html {
  const { method, path, operation } = place;
  const answers = Object.entries(operation.responses);
  const good = answers.filter(([status]) => Number(status) < 400);
  const bad = answers.filter(([status]) => Number(status) >= 400);
  return html`<section class="operation columns" id="${operation.operationId}">
    <div>
      <h3>${operation.summary ?? operation.operationId}</h3>
      <p>${methodBadge(method)} <code>${path}</code></p>
      ${markdown(operation.description ?? '')}
      ${operation.security?.length === 0 ? html`<p>Needs no key.</p>` : null}
      ${parameters(api, place)} ${body(api, place)}
      ${good.map(([status, answer]) => goodAnswer(api, status, answer))} ${refusals(bad)}
    </div>
    <div class="samples">${samples(api, place)}</div>
  </section>`;
}

function parameters(api: ApiDocument, { operation }: PlacedOperation): Html | null {
  const list = operation.parameters ?? [];
  if (list.length === 0) return null;
  const rows = list.map(
    ({ name, in: where, required, description, schema }) =>
      html`<li>
        <p class="field">
          <b><code class="name">${name}</code></b>
          <small>${where}, ${typeOf(api, schema)}</small>
          ${required ? html`<span class="badge accent">required</span>` : null}
        </p>
        ${description && html`<p class="about">${inlineMarkdown(description)}</p>`}
      </li>`,
  );
  return html`<h4>Parameters</h4>
    <ul class="fields">
      ${rows}
    </ul>`;
}

function body(api: ApiDocument, { operation }: PlacedOperation): Html | null {
  const content = operation.requestBody?.content['application/json'];
  return content
    ? html`<h4>Body</h4>
        ${schemaFields(api, content.schema)}`
    : null;
}

function goodAnswer(api: ApiDocument, status: string, answer: Answer): Html {
  const content = answer.content?.['application/json'];
  const headers = Object.entries(answer.headers ?? {}).map(
    ([name, header]) =>
      html`<li>
        <p class="field">
          <b><code class="name">${name}</code></b> <small>header</small>
        </p>
        <p class="about">${inlineMarkdown(headerOf(api, header).description ?? '')}</p>
      </li>`,
  );
  return html`<h4>Answer ${status}</h4>
    <p>${inlineMarkdown(answer.description)} ${content && schemaLink(content)}</p>
    <ul class="fields">
      ${headers}
    </ul>`;
}

function schemaLink({ schema }: Content): Html | null {
  if (schema.$ref === undefined) return null;
  const name = nameOf(schema.$ref);
  return html`Body: <a href="#object-${name}">${name}</a>.`;
}

/** The codes of the refusals, each a link into the list of errors. */
function refusals(answers: readonly (readonly [string, Answer])[]): Html | null {
  if (answers.length === 0) return null;
  const rows = answers.map(([status, answer]) => {
    const codes = Object.keys(answer.content?.['application/json']?.examples ?? {});
    return html`<li>
      <small>${status}</small> ${codes.map(
        (code) => html`<a href="#error-${code}"><code>${code}</code></a> `,
      )}
    </li>`;
  });
  return html`<h4>Refusals</h4>
    <ul class="refusals">
      ${rows}
    </ul>`;
}

function samples(api: ApiDocument, place: PlacedOperation): Html {
  const { operation } = place;
  const { operationId } = operation;
  const requests = callsOf(api, place).map(({ title, samples }, index) => ({
    title,
    content: sampleTabs(`${operationId}-${index}`, samples),
  }));
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, answer]) =>
      examplesOf(api, answer.content?.['application/json']).map(({ title, value }) => ({
        title: `${status} ${title}`,
        content: codeBlock(JSON.stringify(value, null, 2)),
      })),
    );
  return html`${sampleGroup('Request', `${operationId}-request`, requests)}
  ${sampleGroup('Answer', `${operationId}-answer`, answers)}`;
}

interface TitledSample {
  title: string;
  content: Html;
}

/** Samples of which one is open at a time; no script needed. */
function sampleGroup(title: string, group: string, list: readonly TitledSample[]): Html | null {
  if (list.length === 0) return null;
  return html`<h4>${title}</h4>
    ${list.map(
      (sample, index) =>
        html`<details name="${group}" ${index === 0 ? html`open` : null}>
          <summary>${sample.title}</summary>
          ${sample.content}
        </details>`,
    )}`;
}
