import { html, type Html } from '../../pages/html.ts';
import { mergedObject, nameOf, schemaOf, type ApiDocument, type Schema } from './apiDocument.ts';
import { inlineMarkdown } from './markdown.ts';

/** Levels of fields within fields that are shown. */
const maxDepth = 6;

/** The fields of an object schema, those within them indented. */
export function schemaFields(api: ApiDocument, schema: Schema, depth = 1): Html {
  const { properties = {}, required = [], additionalProperties } = mergedObject(api, schema);
  // Bodies refuse unknown fields; only there does "optional" mean something.
  const isBody = additionalProperties === false;
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<li>
        <p class="field">
          <b><code class="name">${name}</code></b> <small>${typeOf(api, field)}</small>
          ${isBody && required.includes(name) ? html`<span class="badge accent">required</span>` : null}
          ${!isBody && !required.includes(name) ? html`<small>not always</small>` : null}
        </p>
        ${descriptionOf(api, field)}${depth < maxDepth ? childrenOf(api, field, depth) : null}
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
  const title = nameOf(schema.$ref ?? 'value')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** The type as a reader sees it, such as "array of string" or "integer or null". */
export function typeOf(api: ApiDocument, field: Schema): string {
  const schema = schemaOf(api, field);
  if (schema.items) return `array of ${typeOf(api, schema.items)}`;
  const choices = choicesOf(schema);
  if (choices.length > 0)
    return [...new Set(choices.map((each) => typeOf(api, each)))].join(' or ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  const joined = types.join(' or ');
  return schema.format === undefined ? joined : `${joined} (${schema.format})`;
}

/** Allowed values and bounds, as Markdown. */
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
