import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { type FieldName, labels } from '../fields/labels';
import { flagWords } from '../generated/flagWords';

/*
 * Values from expressions: they come from sheets, forms and CSV files, so numbers and switches are often text, and a
 * column may be missing. Each is converted to the type of its field, or refused with the field's label before anything
 * is created.
 */

/** The item being read. */
export interface ItemContext {
  context: IExecuteFunctions;
  itemIndex: number;
}

/** Maximum characters shown of a refused value. */
const shownLength = 80;

/** Whether a value is missing: an empty cell, a missing column, an expression without a result. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    Number.isNaN(value) ||
    (typeof value === 'string' && value.trim() === '')
  );
}

/** The error for a value that its field cannot accept. @param rule The violated rule. */
export function refusedValue(
  { context, itemIndex }: ItemContext,
  field: FieldName,
  rule: string,
  value: unknown,
  advice = '',
): NodeOperationError {
  const happened = isEmpty(value) ? 'has no value' : rule;
  const shownValue = isEmpty(value)
    ? 'It is empty for this item: check its expression.'
    : `Given: ${formatValue(value)}.`;
  return new NodeOperationError(context.getNode(), `${labels[field]} ${happened}`, {
    description: [shownValue, advice, 'Nothing was created for this item.']
      .filter(Boolean)
      .join(' '),
    itemIndex,
  });
}

function formatValue(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(value);
  const short = text.length > shownLength ? `${text.slice(0, shownLength)}...` : text;
  return typeof value === 'string' ? `"${short}"` : short;
}

/** A required text; a number or a switch counts as its text. */
export function parseText(place: ItemContext, field: FieldName, value: unknown): string {
  const plain = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof plain === 'string' && !isEmpty(value)) return plain;
  throw refusedValue(place, field, 'must be text', value);
}

/**
 * The URL of a file. A file itself, its name in the item or its content as text is a common mistake: it would be
 * refused as too long, or as an unknown host.
 */
export function parseWebAddress(place: ItemContext, field: FieldName, value: unknown): string {
  const text = isEmpty(value) || typeof value === 'object' ? '' : String(value).trim();
  if (/^https?:\/\/[^/]/i.test(text)) return text;
  const advice =
    'Files cannot be sent with the request. First upload the file to storage with public URLs, as in the S3 and Google Drive examples.';
  throw refusedValue(place, field, 'must be the https address of a file', value, advice);
}

/** A whole number; also accepts text such as "4". */
export function parseWholeNumber(place: ItemContext, field: FieldName, value: unknown): number {
  const number = numberOf(value);
  if (Number.isSafeInteger(number)) return number;
  throw refusedValue(place, field, 'must be a whole number', value);
}

/** A number; also accepts text such as "4.5". */
export function parseNumber(place: ItemContext, field: FieldName, value: unknown): number {
  const number = numberOf(value);
  if (Number.isFinite(number)) return number;
  throw refusedValue(place, field, 'must be a number', value);
}

/** A whole number within bounds that do not depend on the model. */
export function parseCount(
  place: ItemContext,
  field: FieldName,
  value: unknown,
  { min, max = Infinity }: { min: number; max?: number },
  advice?: string,
): number {
  const number = numberOf(value);
  if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
  const bounds = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
  throw refusedValue(place, field, `must be a whole number ${bounds}`, value, advice);
}

/** A number above zero. */
export function parsePositive(
  place: ItemContext,
  field: FieldName,
  value: unknown,
  advice?: string,
): number {
  const number = numberOf(value);
  if (Number.isFinite(number) && number > 0) return number;
  throw refusedValue(place, field, 'must be a number above 0', value, advice);
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : NaN;
}

/** A switch; also accepts text such as "true", "yes" or "0". */
export function parseSwitch(place: ItemContext, field: FieldName, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const word = isEmpty(value) || typeof value === 'object' ? '' : String(value);
  const flag = flagWords[word.trim().toLowerCase()];
  if (flag !== undefined) return flag;
  throw refusedValue(place, field, 'must be true or false', value);
}

/** One of a field's choices, by its value or by its name in the editor, ignoring case. */
export function parseChoice<V extends string>(
  place: ItemContext,
  field: FieldName,
  value: unknown,
  choices: Readonly<Record<V, string>>,
): V {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  const values = Object.keys(choices) as V[];
  const choice = values.find((each) =>
    [each, choices[each]].some((name) => name.toLowerCase() === text),
  );
  if (choice !== undefined) return choice;
  const names = Object.values<string>(choices).join(', ');
  throw refusedValue(place, field, `must be one of: ${names}`, value);
}
