import { readFile } from 'node:fs/promises';
import { APICallError } from '@ai-sdk/provider';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { createFramegate } from '../../../integrations/ai-sdk/src/index.ts';
import { limitedService } from '../support/limitedService.ts';
import {
  anotherGeneration,
  generation,
  generationId,
  noResponses,
  type WildResponse,
} from '../support/wildResponses.ts';
import {
  accepted,
  completed,
  connect,
  image,
  makeImage,
  outcomeOf,
  settings,
  theFile,
} from './plannedResponses.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const mostOf = async ({ framegate }: ReturnType<typeof connect>, modelId: string) => {
  const { maxImagesPerCall: most } = framegate.image(modelId);
  return typeof most === 'function' ? most({ modelId }) : most;
};

const property = (
  arbitrary: fc.Arbitrary<WildResponse>,
  check: (a: WildResponse) => Promise<void>,
) => fc.assert(fc.asyncProperty(arbitrary, check), { numRuns: 60 });

test('an unusable 2xx response to a create is repeated with its key', () =>
  property(noResponses, async (wrong) => {
    const world = connect([wrong, wrong, accepted], [completed]);
    expect(await makeImage(world)).toMatchObject({ images: [expect.anything()] });
    expect(world.keys).toHaveLength(3);
    expect(new Set(world.keys).size).toBe(1);
  }));

test('when it persists, a create ends with its key, and with the id if one was given', () =>
  property(noResponses, async (wrong) => {
    const world = connect([wrong], [completed]);
    const error = await makeImage(world);
    expect(APICallError.isInstance(error) && !error.isRetryable).toBe(true);
    const { message } = error as Error;
    expect(message).toContain(`Idempotency-Key: ${world.keys[0]}`);
    if (wrong.body.includes(`"${generationId}"`)) expect(message).toContain(generationId);
  }));

const faults = { status: 500, body: 'down' };

test.each([
  ['a fault', [faults, faults, accepted]],
  ['a lost response', ['lost', { status: 503, body: '' }, accepted] as const],
])('%s at a create is repeated with its key', async (_, create) => {
  const world = connect(create, [completed]);
  expect(await makeImage(world)).toMatchObject({ images: [expect.anything()] });
  expect(world.keys).toHaveLength(3);
  expect(new Set(world.keys).size).toBe(1);
});

test('a caller other than ai learns of a missing response at once', () =>
  property(fc.oneof(noResponses, fc.constant(faults)), async (wrong) => {
    const world = connect([wrong, accepted], [completed]);
    const error = await makeImage(world, { headers: undefined });
    expect(APICallError.isInstance(error) && !error.isRetryable).toBe(true);
    expect((error as Error).message).toContain(`Idempotency-Key: ${world.keys[0]}`);
    expect(world.keys).toHaveLength(1);
  }));

test('a lasting fault ends a create with its key', async () => {
  const world = connect([faults], [completed]);
  const error = await makeImage(world);
  expect(APICallError.isInstance(error) && !error.isRetryable).toBe(true);
  expect((error as Error).message).toContain(`Idempotency-Key: ${world.keys[0]}`);
  expect(world.keys).toHaveLength(4);
});

test("with a caller's key the caller repeats, and a refusal is never repeated", async () => {
  const own = connect([faults], [completed]);
  const headers = { 'Idempotency-Key': 'order-1' };
  const error = await makeImage(own, { headers });
  expect(APICallError.isInstance(error) && error.isRetryable).toBe(true);
  expect(own.keys).toEqual(['order-1']);
  const refused = connect([{ status: 402, body: '{}' }], [completed]);
  await makeImage(refused);
  expect(refused.keys).toHaveLength(1);
});

const limited = { status: 429, body: '{}' };

test('a limit is waited out with one key', async () => {
  const world = connect([limited, limited, accepted], [completed]);
  expect(await makeImage(world)).toMatchObject({ images: [expect.anything()] });
  expect(world.keys).toHaveLength(3);
  expect(new Set(world.keys).size).toBe(1);
});

test('a lasting limit is reported, and to a caller other than ai at once', async () => {
  for (const [headers, most] of [
    [image.headers, 10],
    [undefined, 1],
  ] as const) {
    const world = connect([limited], [completed]);
    const error = await makeImage(world, { headers });
    expect(error).toMatchObject({ statusCode: 429, isRetryable: true });
    expect(world.keys.length).toBeLessThanOrEqual(most);
  }
});

test('50 creates at once wait together at the usual limit of the gateway', async () => {
  const service = limitedService();
  const fetch = (url: unknown, init?: RequestInit) =>
    String(url).startsWith('https://api.') ? service.fetch(url, init) : theFile();
  const framegate = createFramegate({ ...settings, fetch: async (...sent) => fetch(...sent) });
  const made = await outcomeOf(
    Promise.all(
      Array.from({ length: 50 }, () =>
        Promise.resolve(framegate.image('image-b-2').doGenerate(image)),
      ),
    ),
  );
  expect(made).toHaveLength(50);
  expect(service.creates.length).toBeLessThanOrEqual(70);
});

test('the parts of a split order have keys of their own, and keep them when they are repeated', async () => {
  const world = connect([accepted, faults, accepted], [completed]);
  const headers = { 'Idempotency-Key': 'order-1' };
  const parts = [4, 4, 2].map((n) => makeImage(world, { headers, n }));
  await Promise.all(parts);
  await makeImage(world, { headers, n: 4 });
  const again = connect([accepted], [completed]);
  await makeImage(again, { headers: { ...headers }, n: 4 });
  expect(world.keys).toEqual(['order-1', 'order-1-2', 'order-1-rest-1', 'order-1-2']);
  expect(again.keys).toEqual(['order-1']);
});

test('each image names its generation and the cost', async () => {
  const made = await makeImage(connect([accepted], [completed]));
  const { billing } = generation('completed');
  expect(made).toMatchObject({
    providerMetadata: { framegate: { images: [{ id: generationId, billing }] } },
  });
});

test('a page in place of an image is fetched again, and ends with id and key when it persists', async () => {
  const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
  for (const [pages, isMade] of [
    [2, true],
    [1000, false],
  ] as const) {
    let left = pages;
    const framegate = createFramegate({
      ...settings,
      async fetch(url, init) {
        if (!(url as string).startsWith('https://api.')) {
          return (left -= 1) < 0 ? theFile() : page();
        }
        const isCreate = init?.method === 'POST';
        return new Response(isCreate ? accepted.body : completed.body, { status: 200 });
      },
    });
    const made = await outcomeOf(Promise.resolve(framegate.image('image-b-2').doGenerate(image)));
    if (isMade) {
      expect(made).toMatchObject({ images: [new TextEncoder().encode('file')] });
    } else {
      expect((made as Error).message).toMatch(
        new RegExp(`text/html.*${generationId}.*Idempotency-Key`),
      );
    }
  }
});

test('requests name provider, version, runtime and ai', async () => {
  const manifest = new URL('../../../integrations/ai-sdk/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  const world = connect([accepted], [completed]);
  await makeImage(world);
  const [create, , file] = world.agents;
  expect(create).toMatch(/^framegate-ai-sdk\/\S+ \(Node\.js\/\d+\) ai\/7\.0\.0$/);
  expect(file).toContain(`framegate-ai-sdk/${version} (`);
});

describe('the number of images that a model makes at once', () => {
  const list = {
    object: 'list',
    data: [{ id: 'image-b-2', capabilities: { n: { min: 1, max: 3 } } }, null, { id: 'odd' }],
  };

  test('comes from the API, read once', async () => {
    const world = connect([], [{ status: 200, body: JSON.stringify(list) }]);
    for (const modelId of ['image-b-2', 'image-b-2']) {
      expect(await mostOf(world, modelId)).toBe(3);
    }
    expect(world.agents).toHaveLength(1);
  });

  test('is unbounded where the API states none, up to its refusal', () =>
    property(noResponses, async (wrong) => {
      expect(await mostOf(connect([], [wrong]), 'image-b-2')).toBe(Number.MAX_SAFE_INTEGER);
    }));
});

test('an unusable 2xx response to a poll is repeated, and ends with id and key when it persists', () =>
  property(fc.oneof(noResponses, fc.constant(anotherGeneration)), async (wrong) => {
    const connected = connect([accepted], [wrong, wrong, completed]);
    expect(await makeImage(connected)).toMatchObject({ images: [expect.anything()] });
    const lasting = connect([accepted], [wrong]);
    const { message } = (await makeImage(lasting)) as Error;
    expect(message).toContain(generationId);
    expect(message).toContain(String(lasting.keys[0]));
    const poll = { operation: generationId, providerOptions: {} };
    const video = lasting.framegate.video('alpha-2.0-fast').doStatus(poll);
    const error = await outcomeOf(Promise.resolve(video));
    // The SDK itself retries such a poll.
    expect(APICallError.isInstance(error) && error.isRetryable).toBe(true);
    expect((error as Error).message).toContain(generationId);
  }));

test.each([
  [{ baseURL: 'http://api.example.com/v1' }, /must begin with https/],
  [{ baseURL: 'https://api.example.com' }, /must end in \/v1/],
  [{ baseURL: 'https://user@api.example.com/v1' }, /not a valid URL/],
  [{ baseURL: 'api.example.com/v1' }, /not a valid URL/],
  [{ apiKey: `${settings.apiKey}\n` }, /contains spaces or line breaks/],
  [{ apiKey: settings.apiKey.slice(1) }, /must be fg_live_ followed by 38/],
])('the key is not sent with %j', async (changed, why) => {
  const sent = jest.fn<typeof fetch>();
  const framegate = createFramegate({ ...settings, ...changed, fetch: sent });
  const made = await outcomeOf(Promise.resolve(framegate.image('image-b-2').doGenerate(image)));
  expect((made as Error).message).toMatch(why);
  expect(sent).not.toHaveBeenCalled();
});
