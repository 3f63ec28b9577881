/* Copied from integrations/typescript/src/core/generationBody.ts by "npm run generate": do not edit. */

import type { Generation } from '../generated/api.ts';
import { membersOf } from './json.ts';

const idForm = 'gen_[0-9a-hjkmnp-tv-z]{26}';
const wholeId = new RegExp(`^${idForm}$`);
const toldId = new RegExp(`"id"\\s*:\\s*"(${idForm})"`);
const statuses: readonly unknown[] = ['queued', 'processing', 'completed', 'failed'];

/**
 * Whether a body is a generation in a known state, with the parts that belong to the state.
 * @param id The requested generation's ID; if absent, any generation's id is accepted.
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

/** The id in an otherwise malformed or truncated response to a create request: a paid generation must not be lost. */
export function idWithin(text: string): string | undefined {
  return toldId.exec(text)?.[1];
}
