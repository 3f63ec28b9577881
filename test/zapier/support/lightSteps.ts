import { createHash } from 'node:crypto';
import { catalogue } from '../../../shared/src/catalogue.ts';
import { presentModel } from '../../../shared/src/presentModel.ts';

/** Values of a step, by key. */
export type Values = Record<string, unknown>;

/** What a step is run with, besides its fields. */
interface Around {
  meta?: Values;
  authData?: Values;
  inputDataRaw?: Values;
}

/** A request of a step, as `GET /models`, and what the API answers: a status and a body. */
export type LightApi = (request: string, body: Values) => [number, object];

type Perform = (z: object, bundle: object) => Promise<unknown>;
type Steps = Record<string, { operation: { perform: Perform } }>;

/** What a step came to: its results, or its error by name and words. */
export type LightOutcome = { results: unknown } | { error: string; message: string };

// Its address is not an import: its types are those of Zapier's core, which only the app installs.
const { app } = (await import(
  new URL('../../../integrations/zapier/src/app.ts', import.meta.url).href
)) as { app: { creates: Steps; searches: Steps } };

const authData = { base_url: 'https://api.example.com/v1', api_key: 'fg_live_x' };

/** An API with every model and this balance, which makes and finds nothing. */
export function apiWith(available: number): LightApi {
  return (request) => {
    if (request === 'GET /models') return [200, { data: catalogue.map(presentModel) }];
    if (request !== 'GET /credits/balance') return [404, refusal('generation_not_found')];
    const balance = { object: 'credit_balance', available, in_flight: 70 };
    return [200, { ...balance, as_of: '2026-11-20T12:00:00.000Z' }];
  };
}

/** The body of a refusal. */
export function refusal(code: string): object {
  return { error: { code, details: [] } };
}

/** Runs the app's own step on an API of one function, without Zapier's core. */
export async function runLight(
  name: string,
  inputData: Values,
  api: LightApi,
  around: Around = {},
): Promise<{ outcome: LightOutcome; requests: string[] }> {
  const requests: string[] = [];
  const named = (error: string) =>
    class extends Error {
      override name = error;
    };
  const z = {
    errors: {
      Error: named('Error'),
      HaltedError: named('HaltedError'),
      ExpiredAuthError: named('ExpiredAuthError'),
      ThrottledError: named('ThrottledError'),
    },
    cache: { get: () => Promise.resolve(null), set: () => Promise.resolve(true) },
    hash: (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex'),
    dehydrateFile: (_hydrator: unknown, file: object) => file,
    request({ url, method, body }: { url: string; method: string; body?: Buffer }) {
      const request = `${method} ${url.replace(authData.base_url, '')}`;
      requests.push(request);
      const [status, data] = api(request, JSON.parse(body?.toString() ?? '{}') as Values);
      return Promise.resolve({ status, data, getHeader: () => undefined });
    },
  };
  const step = app.creates[name] ?? app.searches[name];
  if (step === undefined) throw new Error(`there is no step ${name}`);
  const bundle = { inputDataRaw: {}, meta: {}, authData, ...around, inputData };
  try {
    return { outcome: { results: await step.operation.perform(z, bundle) }, requests };
  } catch (error) {
    const { name: kind, message } = error as Error;
    return { outcome: { error: kind, message }, requests };
  }
}
