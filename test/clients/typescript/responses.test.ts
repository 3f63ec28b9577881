import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minuteMs } from '@framegate/contract';
import {
  Framegate,
  FramegateError,
  UnexpectedResponseError,
  WaitTimeoutError,
} from '../../../integrations/typescript/src/node/index.ts';
import {
  anotherGeneration,
  generation,
  generationId,
  noResponses,
  wildRefusals,
  type WildResponse,
} from '../support/wildResponses.ts';

const apiKey = `fg_live_${'a1B2'.repeat(9)}zz`;
const baseUrl = 'https://api.example.com/v1';
const video = { model: 'alpha-2.0-fast', mode: 'text-to-video' as const, prompt: 'A kite' };
const accepted = { status: 202, body: JSON.stringify(generation('queued')) };
const completed = { status: 200, body: JSON.stringify(generation('completed')) };

interface Plan {
  create?: readonly WildResponse[];
  read?: readonly WildResponse[];
}

/** A client whose service answers as planned, repeating the last response, on a clock that only advances by waits. */
function connect({ create = [accepted], read = [completed] }: Plan) {
  let nowMs = 0;
  const keys: (string | undefined)[] = [];
  const reads: string[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const isCreate = init.method === 'POST';
    const headers = new Headers(init.headers);
    if (isCreate) keys.push(headers.get('idempotency-key') ?? undefined);
    else reads.push(url);
    const planned = isCreate ? create : read;
    const nth = isCreate ? keys.length : reads.length;
    const { status, body } = planned[Math.min(nth, planned.length) - 1] ?? accepted;
    return new Response(body, { status });
  };
  const platform = {
    fetch,
    now: () => nowMs,
    random: () => 0,
    newKey: () => 'key-1',
    async sleep(ms: number) {
      nowMs += ms;
    },
  };
  return { framegate: new Framegate({ baseUrl, apiKey, platform }), keys, reads };
}

/** Error of a call. */
async function errorOf(call: Promise<unknown>): Promise<FramegateError> {
  const error: unknown = await call.then(
    () => new Error('it has not failed'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof FramegateError) return error;
  throw error;
}

const property = (
  arbitrary: fc.Arbitrary<WildResponse>,
  check: (response: WildResponse) => unknown,
) =>
  fc.assert(
    fc.asyncProperty(arbitrary, async (response) => {
      await check(response);
    }),
    { numRuns: 60 },
  );

describe('an unusable 2xx response', () => {
  test('to a create is repeated with its key', () =>
    property(noResponses, async (wrong) => {
      const { framegate, keys } = connect({ create: [wrong, wrong, accepted] });
      expect((await framegate.videos.create(video)).id).toBe(generationId);
      expect(keys).toEqual(['key-1', 'key-1', 'key-1']);
    }));

  test('to a read is repeated', () =>
    property(fc.oneof(noResponses, fc.constant(anotherGeneration)), async (wrong) => {
      const { framegate, reads } = connect({ read: [wrong, wrong, completed] });
      expect((await framegate.generations.get(generationId)).status).toBe('completed');
      expect(reads).toHaveLength(3);
      const waiting = connect({ read: [wrong, wrong, completed] });
      const done = await waiting.framegate.videos.createAndWait(video);
      expect([done.id, waiting.keys]).toEqual([generationId, ['key-1']]);
    }));

  test('that persists ends a create with its key, and with the id if one was given', () =>
    property(noResponses, async (wrong) => {
      const { framegate, keys } = connect({ create: [wrong] });
      const error = await errorOf(framegate.videos.create(video));
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect([error.idempotencyKey, error.mayHaveCreated]).toEqual(['key-1', true]);
      expect(error.message).toContain("'key-1'");
      expect(keys.length).toBeGreaterThan(2);
      if (wrong.body.includes(`"${generationId}"`)) {
        expect(error.generationId).toBe(generationId);
        expect(error.message).toContain(generationId);
      }
    }));

  test('that persists ends a wait at its deadline, with id and key', () =>
    property(noResponses, async (wrong) => {
      const { framegate } = connect({ read: [wrong] });
      const error = await errorOf(framegate.videos.createAndWait(video, { timeoutMs: minuteMs }));
      expect(error).toBeInstanceOf(WaitTimeoutError);
      expect([error.generationId, error.idempotencyKey]).toEqual([generationId, 'key-1']);
      expect(error.message).toContain(generationId);
      expect(error.message).toContain("'key-1'");
    }));

  test('to a list ends the call at once: the base URL is wrong', async () => {
    const { framegate, reads } = connect({ read: [{ status: 200, body: '<html>' }] });
    expect(await errorOf(framegate.models.list())).toBeInstanceOf(UnexpectedResponseError);
    expect(reads).toHaveLength(1);
  });
});

describe('refusals with parts of every type', () => {
  test('are errors of the client, with the key', () =>
    property(wildRefusals, async (refusal) => {
      const { framegate } = connect({ create: [refusal] });
      const error = await errorOf(framegate.videos.create(video));
      expect(error.idempotencyKey).toBe('key-1');
      expect(typeof error.retryable).toBe('boolean');
    }));

  test('keep the id of a response before them', () =>
    property(wildRefusals, async (refusal) => {
      const odd = { status: 202, body: JSON.stringify(generation('asleep')) };
      const { framegate } = connect({ create: [odd, refusal] });
      const error = await errorOf(framegate.videos.create(video));
      expect([error.generationId, error.idempotencyKey]).toEqual([generationId, 'key-1']);
      expect(error.message).toContain(generationId);
    }));

  test('while waiting keep id and key', () =>
    property(wildRefusals, async (refusal) => {
      const { framegate } = connect({ read: [refusal] });
      const error = await errorOf(framegate.videos.createAndWait(video, { timeoutMs: minuteMs }));
      expect([error.generationId, error.idempotencyKey]).toEqual([generationId, 'key-1']);
      expect(error.message).toContain(generationId);
    }));
});

test('a failed generation is reported with the refunded credits, not with its cost', async () => {
  const billing = { cost_credits: 70, status: 'refunded', refunded_credits: 35 };
  const body = JSON.stringify(generation('failed', { billing }));
  const { framegate } = connect({ read: [{ status: 200, body }] });
  const error = await errorOf(framegate.videos.createAndWait(video));
  expect(error).toMatchObject({ refunded: true });
  expect(error.message).toContain('35 credits were refunded');
});

test('a failed generation is reported with id and key', async () => {
  const { framegate } = connect({
    read: [{ status: 200, body: JSON.stringify(generation('failed')) }],
  });
  const error = await errorOf(framegate.videos.createAndWait(video));
  expect(error).toMatchObject({ generationId, idempotencyKey: 'key-1', code: 'generation_failed' });
});
