import type { JSONValue } from '@ai-sdk/provider';
import { isJsonObject } from '@framegate/contract';
import type { JsonObject } from '../sendRules.ts';
import { parsePointer } from './pointers.ts';

/** Values for the placeholders of a template, by name. */
export type TemplateValues = Readonly<Record<string, unknown>>;

const placeholder = /\{([\w:-]+\*?)\}/g;
const onlyPlaceholder = /^\{([\w:-]+\*?)\}$/;

/** The names of the placeholders anywhere in a template. */
export function placeholdersOf(template: unknown): string[] {
  if (typeof template === 'string') {
    return [...template.matchAll(placeholder)].map(([, name = '']) => name);
  }
  return typeof template === 'object' && template !== null
    ? Object.values(template).flatMap(placeholdersOf)
    : [];
}

/**
 * Fills a template. A text that is only a placeholder becomes its value, whatever its type. In a list, an element with
 * `{name*}` appears once for each value of a list. An element or a member without a value for any of its placeholders
 * is left out.
 * @returns Undefined if it is left out itself.
 */
export function fillTemplate(template: JSONValue, values: TemplateValues): JSONValue | undefined {
  const names = placeholdersOf(template);
  if (names.length > 0 && names.every((name) => !hasValue(values, name))) return undefined;
  if (typeof template === 'string') return fillText(template, values);
  if (Array.isArray(template)) {
    const filled = (template as JSONValue[]).flatMap((element) =>
      eachOf(element, values).map((own) => fillTemplate(element, own)),
    );
    return filled.filter((element) => element !== undefined);
  }
  if (!isJsonObject(template)) return template;
  const filled = Object.entries(template).map(
    ([name, member = null]) => [name, fillTemplate(member, values)] as const,
  );
  return Object.fromEntries(filled.filter(([, member]) => member !== undefined));
}

const hasValue = (values: TemplateValues, name: string) =>
  values[name.replace('*', '')] !== undefined && values[name.replace('*', '')] !== null;

function fillText(text: string, values: TemplateValues): JSONValue | undefined {
  const only = onlyPlaceholder.exec(text)?.[1];
  if (only !== undefined) return (values[only] ?? values[only.replace('*', '')]) as JSONValue;
  const names = placeholdersOf(text);
  if (!names.every((name) => hasValue(values, name))) return undefined;
  return text.replaceAll(placeholder, (_, name: string) => String(values[name]));
}

/** The values for each repetition of an element of a list. */
function eachOf(element: JSONValue, values: TemplateValues): TemplateValues[] {
  const repeated = placeholdersOf(element).find((name) => name.endsWith('*'));
  if (repeated === undefined) return [values];
  const list = values[repeated.slice(0, -1)];
  return (Array.isArray(list) ? (list as unknown[]) : []).map((each) => ({
    ...values,
    [repeated]: each,
  }));
}

/**
 * The body of an order: the template, and the fields that it does not name, which replace its own at their place.
 * @param fieldsAt A JSON pointer to the object that gets these fields.
 */
export function fillBody(
  template: JsonObject,
  fieldsAt: string,
  fields: TemplateValues,
  order: TemplateValues,
): JsonObject {
  const body = (fillTemplate(template, { ...fields, ...order }) ?? {}) as JsonObject;
  const named = new Set(placeholdersOf(template).map((name) => name.replace('*', '')));
  let place = body;
  for (const name of parsePointer(fieldsAt)) {
    if (!isJsonObject(place[name])) place[name] = {};
    place = place[name] as JsonObject;
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!named.has(name) && value !== undefined && value !== null) place[name] = value as JSONValue;
  }
  return body;
}

/** Fills a path or a URL; each value is escaped, except the slashes in a model id. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(placeholder, (_, name: string) => {
    const text = values[name] ?? '';
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`no value for {${name}} in a path`);
    const parts = name === 'model' ? text.split('/') : [text];
    return parts.map(encodeURIComponent).join('/');
  });
}
