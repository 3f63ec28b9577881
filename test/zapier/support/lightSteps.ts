import { createHash } from 'node:crypto';
import { catalogue } from '../../../shared/src/catalogue.ts';
import { presentModel } from '../../../shared/src/presentModel.ts';
import { hurry } from './hurry.ts';

/** Values of a step, by key. */
export type Values = Record<string, unknown>;

/** Context of a step, besides its fields. */
interface Around {
  /** Whether z.cache keeps its values; default true. */
  hasCache?: boolean;
  meta?: Values;
  authData?: Values;
  inputDataRaw?: Values;
}

/**
 * Answers a request of a step, such as `GET /models`, with a status and a body. An error that it throws counts
 * as a network error.
 */
export type LightApi = (request: string, body: Values) => [number, unknown];

type Perform = (z: object, bundle: object) => Promise<unknown>;
type Steps = Record<string, { operation: { perform: Perform; inputFields?: unknown[] } }>;

/** Outcome of a step: its results, or its error by name and words. */
export type LightOutcome = { results: unknown } | { error: string; message: string };

// Imported by URL, because its types come from Zapier's core, which only the app installs.
const { app } = (await import(
  new URL('../../../integrations/zapier/src/app.ts', import.meta.url).href
)) as {
  app: Record<'creates' | 'searches' | 'triggers', Steps> & { authentication: { test: Perform } };
};

/** The connection of every step here. */
export const authData = {
  base_url: 'https://api.example.com/v1',
  api_key: `fg_live_${'x'.repeat(38)}`,
};

/** A network error, as node-fetch throws it. */
export function networkError(code: string): Error {
  return Object.assign(new Error('request failed'), { name: 'FetchError', code });
}

/** An API with every model and this balance, which makes and finds nothing. */
export function apiWith(available: number): LightApi {
  return (request) => {
    if (request === 'GET /models') return [200, { data: catalogue.map(presentModel) }];
    if (request !== 'GET /credits/balance') return [404, refusal('generation_not_found')];
    const balance = { object: 'credit_balance', available, in_flight: 70 };
    return [200, { ...balance, as_of: '2026-11-20T12:00:00.000Z' }];
  };
}

/** Id of the only generation that `wholeApi` makes. */
export const generationId = 'gen_01kagw2m5t9x3q7r8v4c6e0hjn';

/** An API with plenty of credits, whose generations finish at once. */
export const wholeApi: LightApi = (request, body) => {
  const isRead = request === `GET /generations/${generationId}`;
  if (!isRead && !request.startsWith('POST ')) return apiWith(1000)(request, body);
  if (!isRead && !('model' in body)) return [400, refusal('invalid_request')];
  const type = request === 'POST /images' ? 'image' : 'video';
  return [
    isRead ? 200 : 202,
    {
      id: generationId,
      type,
      model: 'alpha-2.0-pro',
      status: 'completed',
      created_at: new Date().toISOString(),
      parameters: {},
      billing: { cost_credits: 70, status: 'charged' },
      output: { urls: ['https://media.example.com/0.mp4'], expires_at: '2026-11-21T12:00:00.000Z' },
    },
  ];
};

/** The body of a refusal. */
export function refusal(code: string): object {
  return { error: { code, details: [] } };
}

/** A step by its key, or `test` for the connection's test. */
function performOf(name: string): Perform {
  if (name === 'test') return app.authentication.test;
  const step = app.creates[name] ?? app.searches[name] ?? app.triggers[name];
  if (step === undefined) throw new Error(`there is no step ${name}`);
  return step.operation.perform;
}

/** Runs the app's own step on an API of one function, without Zapier's core. */
export async function runLight(
  name: string,
  inputData: Values,
  api: LightApi,
  around: Around = {},
): Promise<{ outcome: LightOutcome; requests: string[] }> {
  return run(performOf(name), inputData, api, around);
}

/** The fields that a step shows for these values. */
export async function fieldsOf(name: string, inputData: Values, api: LightApi) {
  const step = app.creates[name] ?? app.searches[name];
  const perform: Perform = async (z, bundle) => {
    const shown = (step?.operation.inputFields ?? []).map(async (field) =>
      typeof field === 'function' ? (field as Perform)(z, bundle) : [field],
    );
    return (await Promise.all(shown)).flat();
  };
  return run(perform, inputData, api, {});
}

async function run(perform: Perform, inputData: Values, api: LightApi, around: Around) {
  const { hasCache = true, ...rest } = around;
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
    cache: { get: () => Promise.resolve(null), set: () => Promise.resolve(hasCache) },
    hash: (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex'),
    dehydrateFile: (_hydrator: unknown, file: object) => file,
    request({ url, method, body }: { url: string; method: string; body?: Buffer }) {
      const request = `${method} ${url.replace(authData.base_url, '')}`;
      requests.push(request);
      return Promise.resolve().then(() => {
        const [status, data] = api(request, JSON.parse(body?.toString() ?? '{}') as Values);
        return { status, data, getHeader: () => undefined };
      });
    },
  };
  const bundle = { inputDataRaw: {}, meta: {}, authData, ...rest, inputData };
  const undo = hurry(0);
  try {
    const outcome: LightOutcome = { results: await perform(z, bundle) };
    return { outcome, requests };
  } catch (error) {
    const { name, message } = error as Error;
    const outcome: LightOutcome = { error: name, message };
    return { outcome, requests };
  } finally {
    undo();
  }
}
