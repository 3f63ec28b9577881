import fc from 'fast-check';

/** A response planned by a test. */
export interface WildResponse {
  status: number;
  body: string;
}

/** The paid generation, and another one. */
export const generationId = 'gen_01kagw2m5t9x3q7r8v4c6e0hjn';
const otherId = 'gen_01kagw2m5t9x3q7r8v4c6e0hjm';

/** A generation of the API in one state. */
export function generation(status: string, more: object = {}) {
  const billing = { unit: 'credits', cost_credits: 50, policy: 'same_as_pc', status: 'charged' };
  const output = { urls: ['https://media.example.com/0.mp4'], expires_at: '2026-11-21T09:30:00Z' };
  const about = { type: 'internal_error', code: 'generation_failed', message: 'It has failed.' };
  return {
    id: generationId,
    object: 'generation',
    type: 'video',
    model: 'alpha-2.0-fast',
    status,
    status_url: `https://api.example.com/v1/generations/${generationId}`,
    created_at: '2026-11-20T09:30:00.000Z',
    parameters: {},
    billing,
    ...(status === 'completed' && { output, completed_at: '2026-11-20T09:31:00.000Z' }),
    ...(status === 'failed' && { error: { ...about, param: null, retryable: true } }),
    ...more,
  };
}

const ok = fc.constantFrom(200, 201, 202, 203);
const whole = JSON.stringify(generation('processing'));
const odd = fc.oneof(fc.jsonValue(), fc.constant({ toString: 1 }), fc.constant('constructor'));

/** 2xx that is not a response to a create request or a read: pages, nothing, truncated and other JSON. */
export const noResponses: fc.Arbitrary<WildResponse> = fc.record({
  status: ok,
  body: fc.oneof(
    fc.constantFrom('', '<html>Sign in</html>', 'null', '[]', '{}', '"gen_"', '{"id":'),
    fc.string(),
    fc.json(),
    fc.nat(whole.length - 1).map((length) => whole.slice(0, length)),
    fc
      .constantFrom('completed', 'failed', 'processing')
      .map((status) => JSON.stringify(generation(status, { id: 'gen_1' }))),
    odd
      .filter((status) => typeof status !== 'string' || status === 'constructor')
      .map((status) => JSON.stringify({ ...generation('queued'), status })),
    odd.map((output) => JSON.stringify({ ...generation('completed'), output })),
    fc
      .constantFrom({ code: 1 }, 'no', null)
      .map((billing) => JSON.stringify({ ...generation('failed'), billing })),
  ),
});

/** 2xx with another generation. */
export const anotherGeneration: WildResponse = {
  status: 200,
  body: JSON.stringify(generation('completed', { id: otherId })),
};

/** Refusals and faults, from the API and from proxies in front of it, with parts of every type. */
export const wildRefusals: fc.Arbitrary<WildResponse> = fc.record({
  status: fc.constantFrom(302, 400, 401, 402, 404, 409, 422, 429, 500, 502, 503),
  body: fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record(
        {
          type: odd,
          code: fc.oneof(fc.constantFrom('insufficient_credits', 'internal_error'), odd),
          message: fc.oneof(fc.string(), odd),
          request_id: odd,
          details: odd,
          param: odd,
          retryable: odd,
          credits: odd,
        },
        { requiredKeys: ['code', 'message'] },
      )
      .map((error) => JSON.stringify({ error })),
  ),
});
