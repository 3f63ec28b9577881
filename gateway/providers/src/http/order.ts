import type { JSONValue } from '@ai-sdk/provider';
import type { JsonObject } from '../sendRules.ts';
import type { Work } from './description.ts';
import { fillBody, fillPath } from './template.ts';

/** An order, ready to be sent. */
export interface WrittenOrder {
  path: string;
  method: string;
  body: string | FormData;
}

/**
 * Writes an order.
 * @param fields The provider's own fields: those of `send`, and the route's options.
 */
export function writeOrder(
  { submit }: Work,
  model: string,
  { prompt, n }: { prompt?: string | undefined; n?: number },
  fields: JsonObject,
): WrittenOrder {
  const body = fillBody(submit.body, submit.fieldsAt, fields, { model, prompt, n });
  return {
    path: fillPath(endpointFor(submit.path, fields), { model }),
    method: submit.method,
    body: submit.encoding === 'json' ? JSON.stringify(body) : formOf(body),
  };
}

function endpointFor(path: Work['submit']['path'], fields: JsonObject): string {
  if (typeof path === 'string') return path;
  const endpoint = path.find((each) => each.with.every((name) => fields[name] !== undefined));
  if (!endpoint) throw new TypeError('no endpoint takes these inputs');
  return endpoint.path;
}

const dataUri = /^data:([\w.+-]+\/[\w.+-]+);base64,/;

/** The body as form fields; pictures as bytes become files. */
function formOf(body: JsonObject): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const each of Array.isArray(value) ? (value as JSONValue[]) : [value]) {
      appendField(form, name, each);
    }
  }
  return form;
}

function appendField(form: FormData, name: string, value: JSONValue): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const type = dataUri.exec(text)?.[1];
  if (type === undefined) {
    form.append(name, text);
  } else {
    const bytes = Buffer.from(text.slice(text.indexOf(',') + 1), 'base64');
    form.append(name, new Blob([bytes], { type }), `${name}.${type.split('/')[1] ?? 'bin'}`);
  }
}
