import type { JSONObject } from '@ai-sdk/provider';
import type { Generation } from './generated/api.ts';
import { membersOf } from './generated/json.ts';

interface Refusal {
  code?: unknown;
  message?: unknown;
  request_id?: unknown;
}

/** Text that names a generation if its id is known. */
export const aboutId = (id: string | undefined): string =>
  id === undefined ? '' : ` Generation: ${id}.`;

/** The message of an unsuccessful response. */
export function describeResponse(status: number, json: unknown): string {
  const error: Refusal = membersOf(membersOf(json)['error']);
  if (typeof error.message !== 'string') {
    return `Status ${status} but no response from Framegate: check the base URL.`;
  }
  return `${error.message} (${textOrEmpty(error.code)}, ${textOrEmpty(error.request_id)})`;
}

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How many images each model of a list makes per call. */
export function maxImagesIn(json: unknown): Map<string, number> {
  const { data } = membersOf(json);
  const models: unknown[] = Array.isArray(data) ? data : [];
  return new Map(
    models.flatMap((model) => {
      const { id, capabilities } = membersOf(model);
      const { max } = membersOf(membersOf(capabilities)['n']);
      return typeof id === 'string' && typeof max === 'number' ? [[id, max] as const] : [];
    }),
  );
}

/** The generation as metadata of a result. */
export const metadataOf = ({ id, parameters, billing }: Generation) =>
  ({ id, parameters: { ...parameters }, billing: { ...billing } }) satisfies JSONObject;
