import { type Html, html } from '../../pages/html.ts';
import {
  type ApiDocument,
  type Content,
  type DocumentedOperation,
  type DocumentedResponse,
  headerOf,
  mergedObject,
  refName,
  type Schema,
  schemaOf,
} from './apiDocument.ts';
import { codeBlock, inlineMarkdown, markdown, methodBadge, sampleTabs } from './elements.ts';
import { callsOf, examplesOf } from './samples.ts';

/** Renders one operation: parameters, responses and sample calls. */
export function operationSection(api: ApiDocument, place: DocumentedOperation): Html {
  const { method, path, operation } = place;
  const responses = Object.entries(operation.responses);
  const good = responses.filter(([status]) => Number(status) < 400);
  const bad = responses.filter(([status]) => Number(status) >= 400);
  return html`<section class="operation columns" id="${operation.operationId}">
    <div>
      <h3>${operation.summary ?? operation.operationId}</h3>
      <p>${methodBadge(method)} <code>${path}</code></p>
      ${markdown(operation.description ?? '')}
      ${operation.security?.length === 0 && html`<p>No API key needed.</p>`}
      ${parameters(api, place)} ${body(api, place)}
      ${good.map(([status, response]) => goodResponse(api, status, response))} ${refusals(bad)}
    </div>
    <div class="samples">${samplesPart(api, place)}</div>
  </section>`;
}

function parameters(api: ApiDocument, { operation }: DocumentedOperation): Html | null {
  const list = operation.parameters ?? [];
  if (list.length === 0) return null;
  const rows = list.map(
    ({ name, in: where, required, description, schema }) =>
      html`<li>
        <p class="field">
          <b><code class="name">${name}</code></b>
          <small>${where}, ${typeOf(api, schema)}</small>
          ${required && html`<span class="badge accent">required</span>`}
        </p>
        ${description && html`<p class="about">${inlineMarkdown(description)}</p>`}
      </li>`,
  );
  return html`<h4>Parameters</h4>
    <ul class="fields">
      ${rows}
    </ul>`;
}

function body(api: ApiDocument, { operation }: DocumentedOperation): Html | null {
  const content = operation.requestBody?.content['application/json'];
  return content
    ? html`<h4>Body</h4>
        ${schemaFields(api, content.schema)}`
    : null;
}

function goodResponse(api: ApiDocument, status: string, response: DocumentedResponse): Html {
  const content = response.content?.['application/json'];
  const headers = Object.entries(response.headers ?? {}).map(
    ([name, header]) =>
      html`<li>
        <p class="field">
          <b><code class="name">${name}</code></b> <small>header</small>
        </p>
        <p class="about">${inlineMarkdown(headerOf(api, header).description ?? '')}</p>
      </li>`,
  );
  return html`<h4>Response ${status}</h4>
    <p>${inlineMarkdown(response.description)} ${content && schemaLink(content)}</p>
    <ul class="fields">
      ${headers}
    </ul>`;
}

function schemaLink({ schema }: Content): Html | null {
  if (schema.$ref === undefined) return null;
  const name = refName(schema.$ref);
  return html`Body: <a href="#object-${name}">${name}</a>.`;
}

/** Error codes with links to the list of errors. */
function refusals(responses: readonly (readonly [string, DocumentedResponse])[]): Html | null {
  if (responses.length === 0) return null;
  const rows = responses.map(([status, response]) => {
    const codes = Object.keys(response.content?.['application/json']?.examples ?? {});
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

function samplesPart(api: ApiDocument, place: DocumentedOperation): Html {
  const { operation } = place;
  const { operationId } = operation;
  const requests = callsOf(api, place).map(({ title, samples }, index) => ({
    title,
    content: sampleTabs(`${operationId}-${index}`, samples),
  }));
  const responses = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) =>
      examplesOf(api, response.content?.['application/json']).map(({ title, value }) => ({
        title: `${status} ${title}`,
        content: codeBlock(JSON.stringify(value, null, 2)),
      })),
    );
  return html`${sampleGroup('Request', `${operationId}-request`, requests)}
  ${sampleGroup('Response', `${operationId}-response`, responses)}`;
}

interface TitledSample {
  title: string;
  content: Html;
}

/** Collapsible samples, one open at a time, without a script. */
function sampleGroup(title: string, group: string, list: readonly TitledSample[]): Html | null {
  if (list.length === 0) return null;
  return html`<h4>${title}</h4>
    ${list.map(
      (sample, index) =>
        html`<details name="${group}" ${index === 0 && html`open`}>
          <summary>${sample.title}</summary>
          ${sample.content}
        </details>`,
    )}`;
}

/** Maximum nesting of displayed fields. */
const maxDepth = 6;

/** Renders the fields of an object schema as a nested list. */
export function schemaFields(api: ApiDocument, schema: Schema, depth = 1): Html {
  const { properties = {}, required = [], additionalProperties } = mergedObject(api, schema);
  // Only request bodies forbid unknown fields. Most of their fields are optional; most of a response's are not.
  const isBody = additionalProperties === false;
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<li>
        <p class="field">
          <b><code class="name">${name}</code></b> <small>${typeOf(api, field)}</small>
          ${isBody && required.includes(name) && html`<span class="badge accent">required</span>`}
          ${!isBody && !required.includes(name) && html`<small>optional</small>`}
        </p>
        ${descriptionOf(api, field)}${depth < maxDepth && childrenOf(api, field, depth)}
      </li>`,
  );
  return html`<ul class="fields">
    ${rows}
  </ul>`;
}

function descriptionOf(api: ApiDocument, field: Schema): Html {
  const { description } = schemaOf(api, field);
  const bounds = boundsOf(api, field);
  return html`${description && html`<p class="about">${inlineMarkdown(description)}</p>`}${
    bounds.length > 0 && html`<p class="quiet">${inlineMarkdown(bounds.join(' · '))}</p>`
  }`;
}

function childrenOf(api: ApiDocument, field: Schema, depth: number): Html | null {
  const schema = schemaOf(api, field);
  if (schema.items) return childrenOf(api, schema.items, depth);
  if (schema.properties) return schemaFields(api, schema, depth + 1);
  const choices = choicesOf(schema);
  if (choices.length === 0) return null;
  return html`${choices.map(
    (choice) =>
      html`<p><b>${titleOf(choice)}</b></p>
        ${childrenOf(api, choice, depth) ?? html`<p>${typeOf(api, choice)}</p>`}`,
  )}`;
}

const choicesOf = ({ anyOf = [], oneOf = anyOf }: Schema): readonly Schema[] => oneOf;

/** `EffectiveVideoParameters` as "Effective video parameters". */
function titleOf(schema: Schema): string {
  const title = refName(schema.$ref ?? 'value')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Describes a type, such as "array of string" or "integer or null". */
export function typeOf(api: ApiDocument, field: Schema): string {
  const schema = schemaOf(api, field);
  if (schema.items) return `array of ${typeOf(api, schema.items)}`;
  const choices = choicesOf(schema);
  if (choices.length > 0) {
    return [...new Set(choices.map((each) => typeOf(api, each)))].join(' or ');
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  const joined = types.join(' or ');
  return schema.format === undefined ? joined : `${joined} (${schema.format})`;
}

/** Describes allowed values and bounds in Markdown. */
export function boundsOf(api: ApiDocument, field: Schema): string[] {
  const schema = schemaOf(api, field);
  const { enum: values, minimum, maximum, maxLength, maxItems, items } = schema;
  const allowed = values ?? (items && schemaOf(api, items).enum);
  const bounds: string[] = [];
  if (allowed) {
    const list = allowed.map((value) => `\`${String(value)}\``).join(' ');
    const lead = items ? 'Any of ' : allowed.length > 1 ? 'One of ' : 'Always ';
    bounds.push(lead + list);
  }
  if (maximum !== undefined) {
    bounds.push(`${minimum === undefined ? 'At most' : `${minimum} to`} ${maximum}`);
  }
  if (maxLength !== undefined) bounds.push(`At most ${maxLength} characters`);
  if (maxItems !== undefined) bounds.push(`At most ${maxItems} items`);
  return bounds;
}
