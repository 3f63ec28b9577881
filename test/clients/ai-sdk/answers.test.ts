import { APICallError } from '@ai-sdk/provider';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFramegate } from '../../../integrations/ai-sdk/src/index.ts';
import {
  anotherGeneration,
  generation,
  generationId,
  noAnswers,
  type WildAnswer,
} from '../support/wildAnswers.ts';

const accepted = { status: 202, body: JSON.stringify(generation('queued')) };
const completed = { status: 200, body: JSON.stringify(generation('completed')) };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A provider whose service answers as planned, the last answer for ever. */
function connect(create: readonly WildAnswer[], read: readonly WildAnswer[]) {
  const keys: (string | null)[] = [];
  let reads = 0;
  const framegate = createFramegate({
    apiKey: 'fg_live_key',
    baseURL: 'https://api.example.com/v1',
    async fetch(url, init) {
      if (!(url as string).startsWith('https://api.')) return new Response('file');
      const isCreate = init?.method === 'POST';
      if (isCreate) keys.push(new Headers(init.headers).get('idempotency-key'));
      else reads += 1;
      const planned = isCreate ? create : read;
      const nth = isCreate ? keys.length : reads;
      const { status, body } = planned[Math.min(nth, planned.length) - 1] ?? accepted;
      return new Response(body, { status });
    },
  });
  return { framegate, keys };
}

/** What a call comes to, its waits passed over. */
async function outcomeOf<T>(call: Promise<T>): Promise<T | Error> {
  const ended = call.catch((error: unknown) => error as Error);
  await vi.runAllTimersAsync();
  return ended;
}

const image = {
  ...{ prompt: 'A kite', n: 1, size: undefined, aspectRatio: undefined, seed: undefined },
  ...{ files: undefined, mask: undefined, providerOptions: {} },
};
const makeImage = ({ framegate }: ReturnType<typeof connect>) =>
  outcomeOf(Promise.resolve(framegate.image('image-b-2').doGenerate(image)));

const property = (arbitrary: fc.Arbitrary<WildAnswer>, check: (a: WildAnswer) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, check), { numRuns: 60 });

test('2xx that is no answer to a create is repeated with its key', () =>
  property(noAnswers, async (wrong) => {
    const world = connect([wrong, wrong, accepted], [completed]);
    expect(await makeImage(world)).toMatchObject({ images: [expect.anything()] });
    expect(world.keys).toHaveLength(3);
    expect(new Set(world.keys).size).toBe(1);
  }));

test('for ever it ends a create with its key, and with the id if it was told', () =>
  property(noAnswers, async (wrong) => {
    const world = connect([wrong], [completed]);
    const error = await makeImage(world);
    expect(APICallError.isInstance(error) && !error.isRetryable).toBe(true);
    const { message } = error as Error;
    expect(message).toContain(`Idempotency-Key: ${String(world.keys[0])}`);
    if (wrong.body.includes(`"${generationId}"`)) expect(message).toContain(generationId);
  }));

test('2xx that is no answer to a look is repeated, and for ever ends with id and key', () =>
  property(fc.oneof(noAnswers, fc.constant(anotherGeneration)), async (wrong) => {
    const passing = connect([accepted], [wrong, wrong, completed]);
    expect(await makeImage(passing)).toMatchObject({ images: [expect.anything()] });
    const lasting = connect([accepted], [wrong]);
    const { message } = (await makeImage(lasting)) as Error;
    expect(message).toContain(generationId);
    expect(message).toContain(String(lasting.keys[0]));
    const look = { operation: generationId, providerOptions: {} };
    const video = lasting.framegate.video('alpha-2.0-fast').doStatus(look);
    const error = await outcomeOf(Promise.resolve(video));
    // The SDK itself repeats such a look.
    expect(APICallError.isInstance(error) && error.isRetryable).toBe(true);
    expect((error as Error).message).toContain(generationId);
  }));
