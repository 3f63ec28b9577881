import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { catalogue } from '../../shared/src/catalogue.ts';
import { presentModel } from '../../shared/src/presentModel.ts';
import { type Fault, faultPlan, isRawError } from '../support/strangeResponses.ts';
import { loadSource, shownOf } from './support/loadSource.ts';

/* Proxies, maintenance pages and cut connections between the node and the API lose no paid result. */

interface Item {
  json: Record<string, unknown>;
}
interface Told {
  json: object[];
  error: string;
  /** Lines of n8n's log. */
  log: string;
}

const id = 'gen_01m83eyg5t9x3q7r8v4c6e0hjn';
const page = '<html>Down for maintenance</html>';

let Framegate: new () => { execute: { call(context: object): Promise<[Item[]]> } };
let detailsOf: (error: unknown) => object;
beforeAll(async () => {
  ({ Framegate } = await loadSource<{ Framegate: typeof Framegate }>(
    'nodes/Framegate/Framegate.node.ts',
  ));
  ({ detailsOf } = await loadSource<{ detailsOf: typeof detailsOf }>(
    'nodes/Framegate/api/errorDetails.ts',
  ));
});

/** A stand-in for the API that makes one generation per key, with faults on the way back. */
function apiWith(faults: (Fault | undefined)[]) {
  const keys: string[] = [];
  /** Keys of create requests with an intact response, or refused before anything was made. */
  let sound = 0;
  const requests: string[] = [];
  let polls = 0;
  const truth = (method: string, path: string, key: string): unknown => {
    if (path === '/models') return { data: catalogue.map(presentModel) };
    if (path === '/credits/balance') return { object: 'credit_balance', available: 100 };
    if (method === 'POST' && !keys.includes(key)) keys.push(key);
    if (method === 'GET') polls += 1;
    const record = {
      id: path.startsWith('/generations/') ? path.slice(13) : id,
      object: 'generation',
      type: 'video',
      model: 'alpha-2.0-mini',
      status_url: `https://media.example.com/v1/generations/${id}`,
      billing: { cost_credits: 12 },
    };
    if (polls < 2) return { ...record, status: 'processing', retry_after_seconds: 0 };
    const output = { urls: ['https://files.example.com/0.mp4'], expires_at: '2026-11-27' };
    return { ...record, status: 'completed', output };
  };
  const send = async (_: string, options: Record<string, unknown>) => {
    const { method, url, headers } = options as { method: string; url: string; headers: object };
    const path = url.replace('https://media.example.com/v1', '');
    const key = (headers as Record<string, string>)['Idempotency-Key'] ?? '';
    requests.push(`${method} ${path}`);
    const told = truth(method, path, key);
    const fault = faults.shift();
    // A missing response has no hint and would be waited for in real time: 500 replaces it.
    const statusCode =
      fault?.status === 0 ? 500 : (fault?.status ?? (method === 'POST' ? 202 : 200));
    const body = fault === undefined ? told : fault.body(told);
    if (fault === undefined && method === 'POST') sound += 1;
    return { statusCode, headers: { 'retry-after': '0' }, body };
  };
  return { send, keys, requests, wasTold: () => sound > 0 };
}

async function run(
  parameters: Record<string, unknown>,
  api: ReturnType<typeof apiWith>,
  isContinued = false,
): Promise<Told> {
  const log: unknown[] = [];
  const context = {
    getNode: () => ({ id: 'node-1', name: 'Framegate' }),
    getCredentials: async () => ({
      baseUrl: 'https://media.example.com/v1',
      apiKey: `fg_live_${'x'.repeat(38)}`,
    }),
    getInputData: () => [{ json: {} }],
    getExecutionId: () => 'execution-1',
    getInstanceId: () => 'instance-1',
    getWorkflow: () => ({ id: 'workflow-1' }),
    getExecutionCancelSignal: () => undefined,
    continueOnFail: () => isContinued,
    evaluateExpression: () => 0,
    logger: { info: (...said: unknown[]) => log.push(...said) },
    getNodeParameter: (name: string, _item: number, fallback?: unknown) =>
      parameters[name] ?? fallback,
    helpers: { httpRequestWithAuthentication: jest.fn(api.send) },
  };
  try {
    const [items] = await new Framegate().execute.call(context);
    return { json: items.map(({ json }) => json), error: '', log: JSON.stringify(log) };
  } catch (error) {
    const { message, description } = shownOf(error);
    const told = `${message}. ${description} ${JSON.stringify(detailsOf(error))}`;
    return { json: [], error: told, log: JSON.stringify(log) };
  }
}

const create = {
  resource: 'video',
  operation: 'create',
  model: 'alpha-2.0-mini',
  mode: 'text-to-video',
  prompt: 'a boat',
};
const isRefusal = ({ status }: Fault) => status >= 300 && status < 500;
const fault = (status: number, body: unknown): Fault => ({ status, body: () => body });

describe('a page of an intermediary', () => {
  test('in place of a poll is ignored: the wait continues', async () => {
    const api = apiWith([undefined, fault(200, page)]);
    const { json } = await run(create, api);
    expect(json).toMatchObject([{ id, status: 'completed' }]);
    expect(new Set(api.requests)).toEqual(new Set(['POST /videos', `GET /generations/${id}`]));
  });

  test.each([202, 200, 204, 524])(
    'in place of a create (%i) has it repeated with its key',
    async (status) => {
      const api = apiWith([fault(status, page)]);
      expect((await run(create, api)).json).toMatchObject([{ id }]);
      expect(api.keys).toHaveLength(1);
    },
  );

  test('in place of every create leaves the key, and the id that a cut response names', async () => {
    const cut = fault(202, `{"id":"${id}","sta`);
    const { error } = await run(create, apiWith([cut, cut, cut, cut]));
    expect(error).toMatch(/may have been created.*Idempotency Key to n8n-[0-9a-f]{64}/);
    expect(error).toContain(`"generation_id":"${id}"`);
    const pages = Array.from({ length: 4 }, () => fault(202, page));
    const { json } = await run(create, apiWith(pages), true);
    expect(json).toMatchObject([{ details: { idempotency_key: expect.stringMatching(/^n8n-/) } }]);
  });

  test.each([
    ['the models', { resource: 'model', operation: 'getAll' }],
    ['the balance', { resource: 'account', operation: 'getBalance' }],
    ['a generation', { resource: 'generation', operation: 'get', generationId: id }],
    ['a price', { resource: 'video', operation: 'estimatePrice', model: create.model }],
    ['a price limit', { ...create, options: { maxCredits: 50 } }],
  ])('in place of %s is requested again, and reported when it persists', async (_, parameters) => {
    const good = await run(parameters, apiWith([fault(200, page)]));
    expect(good.error).toBe('');
    const { error, json } = await run(
      parameters,
      apiWith(Array.from({ length: 4 }, () => fault(200, page))),
    );
    expect(json).toEqual([]);
    expect(error).toContain('Something other than the service responded (HTTP status 200)');
  });

  test('whatever comes back, a known id stays and no key is lost', async () => {
    const others = [
      { resource: 'generation', operation: 'wait', generationId: id },
      { resource: 'generation', operation: 'get', generationId: id },
      { resource: 'model', operation: 'getAll' },
      { resource: 'account', operation: 'getBalance' },
      { ...create, options: { maxCredits: 50 } },
    ];
    const any = fc.oneof(fc.constant(create), fc.constantFrom(...others));
    await fc.assert(
      fc.asyncProperty(any, faultPlan, fc.boolean(), async (parameters, plan, isContinued) => {
        const api = apiWith([...plan]);
        const told = await run(parameters, api, isContinued);
        const said = `${JSON.stringify(told.json)} ${told.error}`;
        expect(isRawError(told.error)).toBe(false);
        expect(api.keys.length).toBeLessThanOrEqual(1);
        expect(api.requests.join()).not.toMatch(/undefined|NaN|object/);
        if (parameters.resource === 'generation') expect(said).toContain(id);
        // A refusal may stand for "nothing was created"; everything else leaves that open.
        const isOpen = plan.every((each) => each === undefined || !isRefusal(each));
        if (isOpen && api.keys.length > 0) expect(said).toMatch(/gen_|n8n-[0-9a-f]{64}/);
        if (!api.wasTold()) return;
        expect(told.log).toContain(id);
        expect(said).toContain(id);
      }),
      { numRuns: 300 },
    );
  });
});
