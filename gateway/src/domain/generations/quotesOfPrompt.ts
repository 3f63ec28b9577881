import type { Generation } from './generation.ts';

/** Values for some fields of a record. A list of one element stands for each element of a list. */
type Cleared<T> = T extends readonly (infer Each)[]
  ? readonly [] | readonly [Cleared<Each>]
  : T extends object
    ? { readonly [Name in keyof T]?: Cleared<T[Name]> }
    : T;

/**
 * Fields of a generation that may quote its prompt, with their values once the prompt is removed. Retention, deletion
 * by the owner and erasure all follow this list. A provider's messages, answers and files may repeat the order.
 */
export const quotesOfPrompt = {
  prompt: '',
  inputs: [{ url: '' }],
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
  // Stored beside the attempts.
  answers: null,
} as const satisfies Cleared<Generation> & { answers: null };

/** Whether this part of the list names fields, instead of giving a value. */
export const namesFields = (cleared: unknown): cleared is Readonly<Record<string, unknown>> =>
  typeof cleared === 'object' && cleared !== null && !Array.isArray(cleared);

/** The fields of a generation that change when its prompt is removed. */
export function withoutQuotes(
  generation: Pick<Generation, 'inputs' | 'attempts'>,
): Pick<Generation, 'prompt' | 'inputs' | 'attempts'> & { answers: null } {
  const { inputs, attempts, ...values } = quotesOfPrompt;
  return {
    ...values,
    inputs: generation.inputs.map((input) => cleared(input, inputs[0])),
    attempts: generation.attempts.map((attempt) => cleared(attempt, attempts[0])),
  };
}

/** The record with the values of the list, except in parts that it lacks. */
function cleared<T extends object>(record: T, list: object): T {
  const own = new Map<string, unknown>(Object.entries(record));
  for (const [name, value] of Object.entries(list) as [string, unknown][]) {
    const part = own.get(name);
    if (!namesFields(value)) own.set(name, value);
    else if (namesFields(part)) own.set(name, cleared(part, value));
  }
  return Object.fromEntries(own) as T;
}
