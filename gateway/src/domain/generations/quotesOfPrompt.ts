import {
  imageParameters,
  isJsonObject,
  type ParameterTable,
  videoParameters,
} from '@framegate/contract';
import type { Generation } from './generation.ts';
import type { OrderedWork } from './order.ts';
import type { WorkState } from './work.ts';

/** Values for some fields of a record. A list of one element stands for each element of a list. */
type ClearedFields<T> = T extends readonly (infer Each)[]
  ? readonly [] | readonly [ClearedFields<Each>]
  : T extends object
    ? { readonly [Name in keyof T]?: ClearedFields<T[Name]> }
    : T;

/** The parameters that hold the customer's words, with the value that stands for an omitted one. */
export const withoutWords = (...tables: ParameterTable[]): Readonly<Record<string, null>> =>
  Object.fromEntries(
    tables
      .flatMap((table) => Object.entries(table))
      .flatMap(([name, { kind }]) => (kind === 'text' ? [[name, null]] : [])),
  );

/**
 * Fields of a generation that may quote its prompt, with their values once the prompt is removed. Retention, deletion
 * by the owner and erasure all follow this list. A provider's messages, responses and files may repeat the order.
 */
export const quotesOfPrompt = {
  prompt: '',
  inputs: [{ url: '' }],
  parameters: withoutWords(videoParameters, imageParameters),
  attempts: [
    {
      note: null,
      doubt: { reason: '' },
      fetches: { error: '' },
      lost: { note: '' },
      cancel: { note: '' },
      refused: { files: [] },
    },
  ],
  // Stored next to the attempts.
  responses: null,
} as const satisfies ClearedFields<Generation> & { responses: null };

/** The fields of a generation that change when its prompt is removed. */
export function withoutQuotes(
  generation: Pick<OrderedWork, 'inputs' | 'parameters'> & Pick<WorkState, 'attempts'>,
): Pick<OrderedWork, 'prompt' | 'inputs' | 'parameters'> &
  Pick<WorkState, 'attempts'> & { responses: null } {
  const { inputs, parameters, attempts, ...values } = quotesOfPrompt;
  return {
    ...values,
    inputs: generation.inputs.map((input) => clearFields(input, inputs[0])),
    parameters: clearFields(generation.parameters, parameters),
    attempts: generation.attempts.map((attempt) => clearFields(attempt, attempts[0])),
  };
}

/** The record, with its listed fields set to the values of the list. */
function clearFields<T extends object>(record: T, list: object): T {
  const own = new Map<string, unknown>(Object.entries(record));
  for (const [name, value] of Object.entries(list) as [string, unknown][]) {
    if (!own.has(name)) continue;
    const part = own.get(name);
    if (!isJsonObject(value)) own.set(name, value);
    else if (isJsonObject(part)) own.set(name, clearFields(part, value));
  }
  return Object.fromEntries(own) as T;
}
