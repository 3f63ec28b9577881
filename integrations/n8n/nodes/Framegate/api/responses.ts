import {
  type CreditBalance,
  type GenerationRecord,
  type ModelEntry,
  statuses,
} from '../generated/contract';
import { generationIdPattern, isGenerationId } from '../generationId';

/*
 * A status of 200 may also come with a proxy's page or a partial body. This module decides which bodies are responses
 * of the API; all others count as transmission trouble, after which the same request is repeated.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The value as an object with fields; undefined for any other value. */
export function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : undefined;
}

/**
 * The generation in a body: an object with a generation's id, a known status, and files that are URLs. Merely
 * explanatory parts (billing, error) are dropped if malformed.
 * @param id The required id; any id is accepted after a create request.
 * @returns Undefined if the body is not such a generation.
 */
export function generationIn(body: unknown, id?: string): GenerationRecord | undefined {
  const fields = fieldsOf(body);
  const ownId = fields?.['id'];
  if (!fields || typeof ownId !== 'string' || !isGenerationId(ownId)) return undefined;
  if (id !== undefined && ownId !== id) return undefined;
  if (!statuses.some((status) => status === fields['status'])) return undefined;
  const { error, output, billing, ...rest } = fields;
  if (output !== undefined && !isOutput(output)) return undefined;
  return {
    ...rest,
    ...(output !== undefined && { output }),
    ...(isFailure(error) && { error }),
    billing: fieldsOf(billing) ?? {},
  } as unknown as GenerationRecord;
}

function isOutput(output: unknown): boolean {
  const urls = fieldsOf(output)?.['urls'];
  return Array.isArray(urls) && urls.every((url) => typeof url === 'string');
}

function isFailure(error: unknown): boolean {
  const { code, message, param } = fieldsOf(error) ?? {};
  const isPlace = param === undefined || param === null || typeof param === 'string';
  return typeof code === 'string' && typeof message === 'string' && isPlace;
}

/**
 * A generation's id anywhere in an incomplete response, such as a truncated body: it is only shown, never requested.
 */
export function idWithin(body: unknown): string | undefined {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return new RegExp(`\\b${generationIdPattern}\\b`).exec(text)?.[0];
}

/** The models in a body, without entries that lack a price or capabilities. */
export function modelsIn(body: unknown): ModelEntry[] | undefined {
  const list = fieldsOf(body)?.['data'];
  return Array.isArray(list) ? (list.filter(isModel) as ModelEntry[]) : undefined;
}

function isModel(entry: unknown): boolean {
  const { id, type, capabilities, pricing } = fieldsOf(entry) ?? {};
  const { credits, examples } = fieldsOf(pricing) ?? {};
  const { modes, resolutions, aspect_ratios, output_formats } = fieldsOf(capabilities) ?? {};
  const isNamed = typeof id === 'string' && typeof type === 'string';
  const isPriced = fieldsOf(credits) !== undefined && Array.isArray(examples);
  return isNamed && isPriced && [modes, resolutions, aspect_ratios, output_formats].every(isTexts);
}

const isTexts = (list: unknown) =>
  Array.isArray(list) && list.every((each) => typeof each === 'string');

/** The balance in a body. */
export function balanceIn(body: unknown): CreditBalance | undefined {
  const fields = fieldsOf(body);
  const isBalance = fields?.['object'] === 'credit_balance';
  return isBalance && typeof fields['available'] === 'number'
    ? (fields as unknown as CreditBalance)
    : undefined;
}
