import { afterEach, expect, jest, test } from '@jest/globals';
import { createFramegate } from '../../integrations/ai-sdk/src/index.ts';
import { FramegateOperator } from '../../integrations/operator/src/index.ts';
import { type CompletedVideo, Framegate } from '../../integrations/typescript/src/node/index.ts';
import { passWaits } from './support/passWaits.ts';
import { generation, generationId } from './support/wildResponses.ts';
import { hurriedPlatform } from './typescript/hurriedPlatform.ts';

/* A framework between a client and the network: Next.js keeps the responses of `fetch`. */

/** A service with these responses, repeating the last one, behind a cache like that of Next.js 14. */
function cachedService(responses: readonly object[]) {
  const left = [...responses];
  const kept = new Map<string, object>();
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const isKept = (init.method ?? 'GET') === 'GET' && init.cache !== 'no-store';
    const response = isKept ? kept.get(String(url)) : undefined;
    const isState = init.method === 'POST' || String(url).includes('/generations/');
    const next = () => left.shift() ?? responses.at(-1) ?? {};
    const fresh = response ?? (isState ? next() : {});
    if (isKept) kept.set(String(url), fresh);
    return Response.json(fresh);
  };
  return { fetch, kept };
}

const states = [generation('queued'), generation('processing'), generation('completed')];
const apiKey = `fg_live_${'a1B2'.repeat(9)}zz`;

afterEach(() => {
  jest.useRealTimers();
});

test('a wait of the client sees each state', async () => {
  const { fetch, kept } = cachedService(states);
  const platform = hurriedPlatform();
  const framegate = new Framegate({
    baseUrl: 'https://api.example.com/v1',
    apiKey,
    fetch,
    platform,
  });
  const seen: string[] = [];
  const onUpdate = ({ status }: { status: string }) => void seen.push(status);
  await framegate.generations.wait(generationId, { onUpdate });
  expect(seen).toEqual(['queued', 'processing', 'completed']);
  expect(kept.size).toBe(0);
});

test('clients without their own fetch see each state with the global one', async () => {
  const { fetch, kept } = cachedService(states);
  const usual = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    const { sleep } = hurriedPlatform();
    const framegate = new Framegate({
      baseUrl: 'https://api.example.com/v1',
      apiKey,
      platform: { sleep },
    });
    const done = (await framegate.generations.wait(generationId)) as CompletedVideo;
    expect(done.status).toBe('completed');
    const baseUrl = 'http://127.0.0.1:8081/operator/v1';
    const operatorKey = `fg_operator_${'a'.repeat(38)}`;
    const operator = new FramegateOperator({ baseUrl, operatorKey, retryBudgetMs: 0 });
    await operator.listAccounts({}).catch(() => undefined);
    expect(kept.size).toBe(0);
  } finally {
    globalThis.fetch = usual;
  }
});

test('an image of the AI SDK is completed', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  const { fetch, kept } = cachedService([...states]);
  const framegate = createFramegate({ apiKey, baseURL: 'https://api.example.com/v1', fetch });
  const options = { prompt: 'A kite', n: 1, providerOptions: {}, headers: {} };
  await passWaits(
    Promise.resolve(framegate.image('image-b-2').doGenerate(options as never)).catch(
      () => undefined,
    ),
  );
  expect(kept.size).toBe(0);
});
