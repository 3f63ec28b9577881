import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { catalogue } from '../../../shared/src/catalogue.ts';
import { presentModel } from '../../../shared/src/presentModel.ts';
import { loadSource, shownOf } from './loadSource.ts';

/* The node's own code with a stand-in for n8n, on an API of one function: many small cases in a moment. */

export type Values = Record<string, unknown>;

/** A response of the API, or of a file host. */
export interface LightResponse {
  statusCode: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Answers a request such as `POST /videos`. An error that it throws counts as a network error. */
export type LightApi = (request: string, body: Values) => LightResponse;

/** Actions and output of a run. */
export interface LightRun {
  items: { json: Values; binary?: Record<string, unknown>; pairedItem?: { item: number } }[];
  /** Message and description of the error that ended the run; empty without one. */
  error: string;
  /** Requests with the items' bodies, in order. */
  requests: { what: string; body: Values; key: string | undefined }[];
  /** The items whose parameters were read, by the parameter's name. */
  read: Map<string, Set<number>>;
}

interface Circumstances {
  api?: LightApi;
  continueOnFail?: boolean;
  runIndex?: number;
  credential?: Values;
  /** Responses of the file host, in order; afterwards complete files. */
  files?: (LightResponse | Error)[];
  /** Replaces n8n's storage of files. */
  keep?: (body: Readable, fileName: string, mimeType: string) => Promise<object>;
}

export const generationId = 'gen_01m83eyg5t9x3q7r8v4c6e0hjn';
export const mp4 = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');

/** An API with plenty of credits, whose generations finish at once. */
export const wholeApi: LightApi = (request, body) => {
  if (request === 'GET /models') {
    return { statusCode: 200, body: { data: catalogue.map(presentModel) } };
  }
  if (request === 'GET /credits/balance') {
    return { statusCode: 200, body: { object: 'credit_balance', available: 1000 } };
  }
  const type = request === 'POST /images' ? 'image' : 'video';
  const urls = ['https://files.example.com/0'];
  const record = { id: generationId, object: 'generation', type, model: body['model'] };
  return {
    statusCode: request.startsWith('POST') ? 202 : 200,
    body: {
      ...record,
      status: 'completed',
      status_url: 'https://media.example.com/v1/generations/1',
      billing: { cost_credits: 12 },
      output: { urls, expires_at: '2026-11-29T00:00:00.000Z' },
    },
  };
};

/** The body of a refusal. */
const refusal = (code: string) => ({
  error: { code, message: 'The API says why.', details: [], retryable: false, request_id: 'req_1' },
});

/** A refused request. */
export const refused = (statusCode: number, code: string): LightResponse => ({
  statusCode,
  body: refusal(code),
});

/** An API that refuses every request like this. */
export const refusing =
  (statusCode: number, code: string): LightApi =>
  () =>
    refused(statusCode, code);

/** Parameters of every operation, as the panel gives them. */
export const operations: Record<string, Values> = {
  'video:create': { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'a boat' },
  'image:create': { model: 'image-b-2', prompt: 'a fern' },
  'video:estimatePrice': { model: 'alpha-2.0-mini' },
  'image:estimatePrice': { model: 'image-b-2' },
  'generation:get': { generationId },
  'generation:wait': { generationId },
  'model:getAll': { returnAll: true },
  'account:getBalance': {},
};

/** The parameters of one operation. */
export function parameterTables(name: string, more: Values = {}): Values {
  const [resource, operation] = name.split(':');
  return { resource, operation, ...operations[name], ...more };
}

interface Node {
  execute: { call(context: object): Promise<[LightRun['items']]> };
}

/** Runs the node on items, each with its own parameters. */
export async function runLight(items: Values[], around: Circumstances = {}): Promise<LightRun> {
  const { Framegate } = await loadSource<{ Framegate: new () => Node }>(
    'nodes/Framegate/Framegate.node.ts',
  );
  const { context, requests, read } = contextOf(items, around);
  try {
    const [made] = await new Framegate().execute.call(context);
    return { items: made, error: '', requests, read };
  } catch (error) {
    const { message, description } = shownOf(error);
    return { items: [], error: `${message}. ${description}`, requests, read };
  }
}

/** The context of a run, with a record of its calls; also serves the lists of the panel. */
export function contextOf(items: Values[], around: Circumstances = {}) {
  const { api = wholeApi, continueOnFail = false, runIndex = 0, files = [] } = around;
  const requests: LightRun['requests'] = [];
  const read: LightRun['read'] = new Map();
  const context = {
    getNode: () => ({ id: 'node-1', name: 'Framegate' }),
    getCredentials: async () => ({
      baseUrl: 'https://media.example.com/v1',
      apiKey: `fg_live_${'x'.repeat(38)}`,
      ...around.credential,
    }),
    getInputData: () => items.map((json) => ({ json })),
    getExecutionId: () => 'execution-1',
    getInstanceId: () => 'instance-1',
    getWorkflow: () => ({ id: 'workflow-1' }),
    getExecutionCancelSignal: () => undefined,
    continueOnFail: () => continueOnFail,
    evaluateExpression: () => runIndex,
    logger: { info: () => undefined },
    getCurrentNodeParameter: (name: string) => items[0]?.[name],
    getNodeParameter(name: string, item: number, fallback?: unknown) {
      read.set(name, (read.get(name) ?? new Set()).add(item));
      const values = items[item] ?? {};
      return Object.hasOwn(values, name) ? values[name] : fallback;
    },
    helpers: {
      async httpRequestWithAuthentication(_: string, options: Values) {
        const {
          method,
          url,
          headers,
          body = {},
        } = options as {
          method: string;
          url: string;
          headers: Record<string, string>;
          body?: Values;
        };
        const what = `${method} ${url.replace('https://media.example.com/v1', '')}`;
        requests.push({ what, body, key: headers['Idempotency-Key'] });
        // No real waiting: every repeat follows at once.
        return { headers: { 'retry-after': '0' }, ...api(what, body) };
      },
      async httpRequest() {
        const next = files.shift() ?? { statusCode: 200, body: mp4 };
        if (next instanceof Error) throw next;
        const { statusCode, body, headers } = next;
        const whole = { 'content-type': 'video/mp4', 'retry-after': '0', ...headers };
        return { statusCode, headers: whole, body: Readable.from([body], { objectMode: false }) };
      },
      prepareBinaryData: around.keep ?? keepInMemory,
    },
  };
  return { context, requests, read };
}

async function keepInMemory(body: Readable, fileName: string, mimeType: string): Promise<object> {
  return { fileName, mimeType, bytes: (await buffer(body)).length };
}
