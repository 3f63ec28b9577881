import { errorText } from './causesOf.ts';

/** Fields of an error body that say why; all others may echo the customer's prompt or our URLs. */
const tellingField =
  /^(errors?|error_?type|err_?code|code|detail|details|message|msg|reason|reasons|type|status|title|task_status|base_resp|status_msg|failure|fail_?reason|block_?reason|finish_?reason|promptfeedback|candidates|output|response|generatevideoresponse|raimediafilteredreasons|raimediafilteredcount)$/i;

const wordsMax = 1000;
const depthMax = 8;

/**
 * What a provider's JSON answer says about a failure: its codes and messages, joined. Answers that
 * are no JSON (a proxy's HTML) say nothing. For rules and for staff, never for customers.
 */
export function wordsOf(body: string | null): string {
  const json = body === null ? undefined : parseJson(body);
  return cut([...collect(json, depthMax)].join(' | '));
}

/** Whether an answer is an error in the provider's own form, not a page of something in between. */
export function isOwnErrorBody(body: string | null): boolean {
  const json = body === null ? undefined : parseJson(body);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  return Object.keys(json).some((key) =>
    /^(errors?|error_?type|detail|details|message|msg|code)$/i.test(key),
  );
}

/** Parses JSON; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The message of a package's error. */
export function messageOf(error: unknown): string {
  return cut(errorText(error));
}

/** A note for staff: cut, without URLs (they may hold keys) and without the provider's key. */
export function staffNote(parts: readonly (string | null)[], apiKey: string): string {
  const text = parts.filter((part) => part !== null && part !== '').join(': ');
  const withoutUrls = text.replace(/\bhttps?:\/\/[^\s"'<>|]+/gi, '<url>');
  return cut(apiKey === '' ? withoutUrls : withoutUrls.replaceAll(apiKey, '<key>'));
}

function* collect(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || value === null) return;
  if (typeof value === 'string' || typeof value === 'number') yield String(value);
  else if (Array.isArray(value)) for (const each of value) yield* collect(each, depth - 1);
  else if (typeof value === 'object') {
    for (const [key, each] of Object.entries(value)) {
      if (tellingField.test(key)) yield* collect(each, depth - 1);
    }
  }
}

function cut(text: string): string {
  return text.length > wordsMax ? `${text.slice(0, wordsMax)}…` : text;
}
