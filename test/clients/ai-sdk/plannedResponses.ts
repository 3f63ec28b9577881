import { createFramegate } from '../../../integrations/ai-sdk/src/index.ts';
import { passWaits } from '../support/passWaits.ts';
import { generation, type WildResponse } from '../support/wildResponses.ts';

/** Usable settings of a provider. */
export const settings = {
  apiKey: `fg_live_${'x'.repeat(38)}`,
  baseURL: 'https://api.example.com/v1',
};

/** Responses to a create request and to a poll. */
export const accepted = { status: 202, body: JSON.stringify(generation('queued')) };
export const completed = { status: 200, body: JSON.stringify(generation('completed')) };

/** A file returned by any URL except the API's. */
export const theFile = () => new Response('file', { headers: { 'content-type': 'image/png' } });

/** A provider whose service answers as planned, repeating the last response. */
export function connect(create: readonly (WildResponse | 'lost')[], read: readonly WildResponse[]) {
  const keys: (string | null)[] = [];
  const agents: (string | null)[] = [];
  let reads = 0;
  const framegate = createFramegate({
    ...settings,
    async fetch(url, init) {
      agents.push(new Headers(init?.headers).get('user-agent'));
      if (!(url as string).startsWith('https://api.')) return theFile();
      const isCreate = init?.method === 'POST';
      if (isCreate) keys.push(new Headers(init.headers).get('idempotency-key'));
      else reads += 1;
      const planned = isCreate ? create : read;
      const nth = isCreate ? keys.length : reads;
      const response = planned[Math.min(nth, planned.length) - 1] ?? accepted;
      if (response === 'lost') throw new TypeError('fetch failed');
      const { status, body } = response;
      return new Response(body, { status });
    },
  });
  return { framegate, keys, agents };
}

/** Outcome of a call, with its waits skipped. */
export function outcomeOf<T>(call: Promise<T>): Promise<T | Error> {
  return passWaits(call.catch((error: unknown) => error as Error));
}

/** A call for one image. */
export const image = {
  prompt: 'A kite',
  n: 1,
  size: undefined,
  aspectRatio: undefined,
  seed: undefined,
  files: undefined,
  mask: undefined,
  providerOptions: {},
  // User agent of `ai`.
  headers: { 'user-agent': 'ai/7.0.0' },
};
const models = new WeakMap<object, ReturnType<ReturnType<typeof connect>['framegate']['image']>>();
/** Creates images with the only model of a world. */
export const makeImage = (world: ReturnType<typeof connect>, more: object = {}) => {
  const model = models.get(world) ?? world.framegate.image('image-b-2');
  models.set(world, model);
  return outcomeOf(Promise.resolve(model.doGenerate({ ...image, ...more })));
};
