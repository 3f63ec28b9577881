import { withoutEndSlashes } from '@framegate/contract';
import { textIn } from './dialect.ts';
import type { Exchange } from './exchanges.ts';
import type { TaskIdPath } from './rows.ts';
import { fieldsOf, parseJson } from './unknownJson.ts';

/** Names of a task's id in the operations of packages without a description. */
const usualFields = ['taskId', 'requestId', 'jobId'];

/** The provider's id of an operation's task; null if it is unknown where the operation has it. */
export function taskIdOf(operation: unknown, place: TaskIdPath | undefined): string | null {
  const fields = place ? [place.field] : usualFields;
  const [text] = fields.flatMap((field) => textIn(operation, field) ?? []);
  return text === undefined ? null : lastPart(text);
}

/**
 * The id of another task in the response to a poll of an operation; null if there is none, or the response has no id.
 */
export function otherTaskIn(
  response: Exchange | undefined,
  operation: unknown,
  place: TaskIdPath | undefined,
): string | null {
  const own = taskIdOf(operation, place);
  if (own === null || place?.response === undefined || !response?.body) return null;
  let id: unknown = parseJson(response.body);
  for (const name of place.response.split('.')) id = fieldsOf(id)[name];
  if (typeof id !== 'string' || id === '') return null;
  return lastPart(id) === own ? null : id;
}

/** The part after the last slash, without a query. */
function lastPart(text: string): string {
  const path = withoutEndSlashes(text.replace(/[?#].*$/s, ''));
  return path.slice(path.lastIndexOf('/') + 1);
}
