import fc from 'fast-check';

/** Disturbance of one response: another status, and a body derived from the true one. */
export interface Fault {
  status: number;
  body: (told: unknown) => unknown;
}

const otherId = 'gen_01kagw2m5t9x3q7r8v4c6e0hjn';

const bodies = fc.oneof(
  fc.constant((): unknown => ''),
  fc.constant((): unknown => undefined),
  fc.constant((): unknown => '<html><h1>Down for maintenance</h1></html>'),
  // Valid JSON of any form, with the API's own names among the keys.
  fc
    .oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom('id', 'status', 'object', 'error', 'data', 'output', 'billing'),
        fc.jsonValue(),
      ),
      fc.record({ error: fc.dictionary(fc.constantFrom(...errorKeys()), fc.jsonValue()) }),
    )
    .map((value) => (): unknown => value),
  // The true response, truncated.
  fc.integer({ min: 0, max: 200 }).map((length) => (told: unknown): unknown => {
    const text = JSON.stringify(told);
    return text.slice(0, Math.min(length, text.length - 1));
  }),
  // The true response with one field of another type.
  fc
    .tuple(fc.constantFrom('id', 'status', 'billing', 'output', 'error', 'data'), fc.jsonValue())
    .map(([key, value]) => (told: unknown): unknown => ({ ...(told as object), [key]: value })),
  fc.constant((told: unknown): unknown => ({ ...(told as object), id: otherId })),
  fc.constant((told: unknown): unknown => ({ ...(told as object), status: 'cancelled' })),
);

function errorKeys(): string[] {
  return ['code', 'message', 'param', 'details', 'credits', 'retryable', 'request_id'];
}

/** Status 0 means no response. */
const statuses = [0, 200, 201, 202, 204, 302, 400, 401, 403, 404, 408, 429, 500, 502, 503, 524];

/** Faults of any kind: no response, foreign pages, truncated responses, and unrelated JSON. */
export const faults: fc.Arbitrary<Fault> = fc.record({
  // Half of them look like success, because those are easily mistaken for a response.
  status: fc.oneof(fc.constantFrom(200, 202), fc.constantFrom(...statuses)),
  body: bodies,
});

/** Answers in order; undefined for a response without a fault. */
export const faultPlan = fc.array(fc.option(faults, { nil: undefined }), { maxLength: 8 });

/** Whether an error's text is JavaScript's own and meaningless to a user. */
export const isRawError = (text: string) =>
  /Cannot (read|convert|destructure)|is not (a function|iterable)|\bundefined\b/.test(text);
