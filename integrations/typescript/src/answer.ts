import type { Error as Refusal, ErrorDetail, Generation } from './generated/api.ts';

const idForm = 'gen_[0-9a-hjkmnp-tv-z]{26}';
const wholeId = new RegExp(`^${idForm}$`);
const toldId = new RegExp(`"id"\\s*:\\s*"(${idForm})"`);
const statuses: readonly unknown[] = ['queued', 'processing', 'completed', 'failed'];

/**
 * Whether a body is a generation in a known state, with the parts that belong to the state.
 * @param id Of the requested generation; if absent, any generation's id is accepted.
 */
export function isGeneration(body: unknown, id?: string): body is Generation {
  const { object, status, output, error, billing } = membersOf(body);
  if (object !== 'generation' || !hasState(body, id)) return false;
  if (status === 'completed') {
    const { urls } = membersOf(output);
    return Array.isArray(urls) && urls.every((url) => typeof url === 'string');
  }
  if (status !== 'failed') return true;
  const { code, message } = membersOf(error);
  const isTold = typeof code === 'string' && typeof message === 'string';
  return isTold && typeof membersOf(billing)['status'] === 'string';
}

/** Whether a body contains a known state of this generation or, without an id, of any. */
export function hasState(body: unknown, id?: string): boolean {
  const { id: own, status } = membersOf(body);
  if (typeof own !== 'string' || !statuses.includes(status)) return false;
  return id === undefined ? wholeId.test(own) : own === id;
}

/** The id in an otherwise malformed or truncated answer to a create: a paid generation must not be lost. */
export function idWithin(text: string): string | undefined {
  return toldId.exec(text)?.[1];
}

/** The API's description of a refusal, with parts of the right types; null for any other body. */
export function refusalOf(body: unknown): Refusal['error'] | null {
  const given = membersOf(membersOf(body)['error']);
  const { code, message, type, param, details, credits, request_id: requestId } = given;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const isDetail = (each: unknown): each is ErrorDetail =>
    typeof each === 'object' && each !== null;
  return {
    code,
    message,
    type: typeof type === 'string' ? type : '',
    request_id: typeof requestId === 'string' ? requestId : '',
    param: typeof param === 'string' ? param : null,
    details: Array.isArray(details) ? details.filter(isDetail) : [],
    retryable: given['retryable'] === true,
    ...(isSums(credits) && { credits }),
  };
}

function isSums(value: unknown): value is NonNullable<Refusal['error']['credits']> {
  const { required, available } = membersOf(value);
  return typeof required === 'number' && typeof available === 'number';
}

/** Parses JSON; null for other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The members of an object; empty for any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Why there is no answer: the innermost cause as a short phrase, such as `connect ECONNREFUSED 127.0.0.1:80`. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: string };
  return typeof cause === 'object' && cause !== null ? reasonOf(cause) : (message ?? String(error));
}
