import type { Error as Refusal, ErrorDetail } from './generated/api.ts';

/** The API's description of a refusal, with parts of the right types; null for any other body. */
export function refusalOf(body: unknown): Refusal['error'] | null {
  const given = membersOf(membersOf(body)['error']);
  const { code, message, type, param, details, request_id: requestId } = given;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const { after, position } = membersOf(given['restored']);
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
    ...(typeof after === 'string' &&
      typeof position === 'number' && { restored: { after, position } }),
  };
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
