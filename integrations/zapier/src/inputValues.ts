/* Converts Zapier's values of a step: '' and null count as missing. */

import { flagWords } from './flagWords.ts';

/** Values of a step's fields, by key. */
export type InputData = Readonly<Record<string, unknown>>;

/**
 * Trimmed text; undefined if nothing was typed. A list that is mapped into a single field becomes the text that Zapier
 * shows for it, so that no value is lost unnoticed: a step without it would make and charge something else.
 */
export function parseText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    const texts = value.map(parseText).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts.join(',');
  }
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' ? undefined : text;
}

/**
 * A choice by its value or its label in the form, ignoring case; other text is passed on unchanged, so that a model
 * with more choices than known here accepts it, and any other names the field.
 */
export function parseChoice(
  value: unknown,
  values: readonly string[],
  labels: Readonly<Record<string, string>> = {},
): string | undefined {
  const text = parseText(value);
  const lowerCase = text?.toLowerCase();
  if (lowerCase === undefined) return undefined;
  const isWanted = (name = '') => name.toLowerCase() === lowerCase;
  return values.find((each) => isWanted(each) || isWanted(labels[each])) ?? text;
}

/** A whole number; other text is passed on unchanged, so that the API names the field at fault. */
export const parseInteger = (value: unknown) => parseNumber(value, /^-?\d{1,15}(\.0+)?$/);

/** A number with decimals; other text is passed on unchanged. */
export const parseDecimal = (value: unknown) => parseNumber(value, /^-?\d{1,15}(\.\d{1,15})?$/);

function parseNumber(value: unknown, form: RegExp): number | undefined {
  const text = parseText(value);
  if (text === undefined) return undefined;
  // The API answers text with details that name the field.
  return form.test(text) ? Number(text) : (text as unknown as number);
}

/** A yes or no in the words of Zapier's fields and mapped values; undefined if missing. */
export function parseFlag(value: unknown): boolean | undefined {
  const text = parseText(value)?.toLowerCase();
  if (text === undefined) return undefined;
  return flagWords[text] ?? (text as unknown as boolean);
}

/**
 * The lines of the inputs, one for each URL. Zapier passes an array of objects if line items are mapped, and the
 * lines' keys at the top level if single values are typed; several URLs in one value are a list that was mapped
 * into it, such as the attachments of a form. Empty lines are left out.
 */
export function parseInputLines(data: InputData): (InputData & { input_url: string })[] {
  const lines = [data['inputs']].flat().filter((line) => typeof line === 'object' && line !== null);
  return (lines.length > 0 ? (lines as InputData[]) : [data]).flatMap((line) =>
    (parseText(line['input_url'])?.split(/\s*,\s*(?=https?:\/\/)/i) ?? []).map((input_url) => ({
      ...line,
      input_url,
    })),
  );
}

/**
 * The field Maximum Credits. A filled-in guard never fails open: NaN if its text or the mapped value is not a number
 * above 0; undefined if it was left empty.
 */
function parseMaximum(data: InputData, raw: InputData): number | undefined {
  const text = parseText(data['max_credits']);
  if (text === undefined) return parseText(raw['max_credits']) === undefined ? undefined : NaN;
  const credits = /^\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : NaN;
  return credits > 0 ? credits : NaN;
}

/** Run settings of both create requests. @param raw The fields as filled in. */
export function parseRunSettings(data: InputData, raw: InputData) {
  return {
    requestKey: parseText(data['request_key']),
    maxCredits: parseMaximum(data, raw),
    shouldWait: parseFlag(data['wait']) !== false,
  };
}

/** The object without undefined entries; undefined if nothing is left. */
export function definedFields<T extends object>(values: T): DefinedFields<T> | undefined {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as DefinedFields<T>);
}

/** A type whose fields are either present or missing, never undefined. */
export type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
