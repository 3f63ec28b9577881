import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type Got,
  json,
  startTinyServer,
  type TinyServer,
} from '../../gateway/providers/test/tinyServer.ts';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { maxFailures } from '../../gateway/src/domain/providers/breaker.ts';
import { arkProvider } from '../support/arkRoutes.ts';
import { image, video } from '../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { type FakeImages, startFakeImages } from '../support/fakeImages.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { plain } from '../support/plainCollection.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedImage, statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';

/*
 * Faults that only the operator can correct, reported with any status: orders go to a healthy second route, or wait for
 * the correction. The operator is alerted once, in the vendor's words, without the key.
 */

const secret = 'sk-of-the-operator-0123456789abcdef';

/** The vendors' error responses: status, code and message. */
type Fault = [name: string, status: number, code: string, message: string];
const faults: Fault[] = [
  ['key 400', 400, 'invalid_argument', `Incorrect API key provided: ${secret}. See the console.`],
  ['key 401', 401, 'AuthenticationError', 'The API key in the request is missing or invalid.'],
  ['key 403', 403, 'invalid_api_key', `The API key ${secret} is not valid.`],
  [
    'account 400',
    400,
    'Arrearage',
    'Access denied, please make sure your account is in good standing.',
  ],
  ['account 402', 402, 'InsufficientBalance', 'Insufficient balance.'],
  ['account 403', 403, 'AccountOverdueError', 'The account is overdue.'],
  [
    'account 429',
    429,
    'insufficient_quota',
    'You exceeded your current quota, please check your plan.',
  ],
  ['region 400', 400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'],
  [
    'region 403',
    403,
    'unsupported_country_region_territory',
    'Country, region, or territory not supported',
  ],
  ['region 451', 451, 'UnavailableForLegalReasons', 'The service is not available in your region.'],
  ['model 400', 400, 'model_not_found', 'The model does not exist.'],
  ['model 404', 404, 'InvalidEndpointOrModel.NotFound', 'The model or endpoint does not exist.'],
  ['model 410', 410, 'ModelRetired', 'The model is shut down.'],
];
/** A reason unknown to every table, identical for each order. */
const unknown: Fault = ['unknown 400', 400, 'ZoneMismatch', 'The zone is not enrolled.'];

/** A model with a faulty first route. */
interface Case {
  id: string;
  type: 'video' | 'image';
  fault: Fault;
  hasSecond: boolean;
  /** Orders that end before a pattern can be seen. */
  mayLose: number;
  orders: number;
}

const cases = [...faults, unknown].flatMap((fault) =>
  (['video', 'image'] as const).flatMap((type) =>
    [true, false].map((hasSecond): Case => {
      const isUnknown = fault === unknown;
      const id = `${type}-${fault[0].replace(' ', '-')}-${hasSecond ? 'two' : 'one'}`;
      // An image takes one request, which may end with an unknown error; the same applies to a refused probe.
      const ofImage = hasSecond ? maxFailures : maxFailures + 1;
      const mayLose = !isUnknown ? 0 : type === 'image' ? ofImage : hasSecond ? 0 : maxFailures;
      return { id, type, fault, hasSecond, mayLose, orders: isUnknown ? maxFailures + 2 : 2 };
    }),
  ),
);
/** A package that omits a promise of its route. */
const dropped = ['dropped-two', 'dropped-one'];

let ark: FakeArk;
let images: FakeImages;
let front: TinyServer;
let gateway: TestGateway;
let account: TestAccount;
let folder: string;
let isMended = false;

/** Replaces responses of the healthy providers with the fault named by the path's first segment. */
async function respond({ method, path, headers, body }: Got, response: ServerResponse) {
  const [, id = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(path) ?? [];
  const found = cases.find((each) => each.id === id);
  if (!found) {
    json(response, 404, {});
  } else if (method === 'POST' && !isMended) {
    const [, status, code, message] = found.fault;
    json(response, status, { error: { code, message, type: code } });
  } else if (rest === '/v1/models') {
    json(response, 200, { data: [] });
  } else {
    const target = found.type === 'video' ? ark.origin : images.origin;
    const { authorization = '' } = headers;
    const init = method === 'POST' ? { body: JSON.stringify(body) } : {};
    const kept = { authorization, 'content-type': 'application/json' };
    const passed = await fetch(target + rest, { method, headers: kept, ...init });
    json(response, passed.status, await passed.json());
  }
}

const capabilities = {
  video: {
    modes: ['text-to-video'],
    duration_seconds: { min: 5, max: 10, default: 5 },
    resolutions: ['720p'],
    aspect_ratios: ['16:9'],
    generate_audio: true,
  },
  image: {
    resolutions: ['1k'],
    aspect_ratios: ['1:1'],
    n: { min: 1, max: 4 },
    output_formats: ['png'],
  },
};

function modelOf(id: string, type: 'video' | 'image'): [string, object] {
  const none = { max_count: 0 };
  const common = { max_prompt_length: 1000, inputs: { image: none, video: none, audio: none } };
  const credits = type === 'video' ? { '720p': 10 } : { '1k': 8 };
  const audio = { audio: { numerator: 5, denominator: 4 } };
  return [
    id,
    {
      type,
      display_name: id,
      typical_seconds: 10,
      pricing: { credits, ...(type === 'video' && audio) },
      capabilities: { ...capabilities[type], ...common },
    },
  ];
}

const openai = (baseURL: string) => ({
  kind: 'ai-sdk',
  package: '@ai-sdk/openai',
  factory: 'createOpenAI',
  apiKeyEnv: 'KEY',
  options: { baseURL },
  allowPrivateNetwork: true,
});

function routesOf(isDropping: boolean): object {
  const providers: Record<string, object> = {
    ark: arkProvider(ark, 'KEY'),
    images: openai(`${images.origin}/v1`),
    dropping: {
      kind: 'ai-sdk',
      package: '@ai-sdk/alibaba',
      factory: 'createAlibaba',
      apiKeyEnv: 'KEY',
      allowPrivateNetwork: true,
      mediaHosts: ['files.example'],
      rewriteOrigins: { 'https://dashscope-intl.aliyuncs.com': front.origin },
    },
  };
  const healthy = {
    video: { provider: 'ark', model: 'seedance', does: statedVideo },
    image: { provider: 'images', model: 'gpt-image-1', does: statedImage },
  };
  const models: Record<string, object[]> = {};
  for (const { id, type, hasSecond } of cases) {
    const prefix = `${front.origin}/${id}`;
    const { mediaHost } = ark;
    providers[id] =
      type === 'video'
        ? arkProvider({ baseURL: `${prefix}/api/v3`, mediaHost }, 'KEY')
        : openai(`${prefix}/v1`);
    models[id] = [{ ...healthy[type], provider: id }, ...(hasSecond ? [healthy[type]] : [])];
  }
  // The operator declares sound as requested; the package knows that this model has no switch.
  const wrong = { provider: 'dropping', model: 'wan2.7-t2v', does: { audio: true } };
  models['dropped-two'] = [wrong, healthy.video];
  models['dropped-one'] = [isDropping ? wrong : healthy.video];
  return { providers, models };
}

beforeAll(async () => {
  ark = await startFakeArk({ apiKey: secret });
  images = await startFakeImages();
  front = await startTinyServer((got, response) => void respond(got, response));
  folder = await mkdtemp(join(tmpdir(), 'framegate-faults-'));
  const models = Object.fromEntries([
    ...cases.map(({ id, type }) => modelOf(id, type)),
    ...dropped.map((id) => modelOf(id, 'video')),
  ]) as object;
  const file = join(folder, 'models.json');
  await writeFile(file, JSON.stringify({ models }));
  gateway = await startRoutedGateway(routesOf(true), { KEY: secret, MODELS_FILE: file });
  account = await gateway.addAccount({ credits: 1_000_000, limits: { running: 1000 } });
});

afterAll(async () => {
  await gateway.stop();
  for (const server of [front, ark, images]) await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function order(id: string, type: 'video' | 'image'): Promise<string> {
  const parameters = type === 'video' ? { generate_audio: false } : {};
  const body = (type === 'video' ? video : image)({
    model: id,
    prompt: `a lake, ${id}.`,
    parameters,
  });
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => account.post(`/v1/${type}s`, body, headers);
  let response = await send();
  // A busy gateway requests a repeat of the same request.
  await until(async () => response.status !== 503 || ((response = await send()), false));
  expect([id, response.status, response.json['error']]).toEqual([id, 202, undefined]);
  return String(response.json['id']);
}

const find = (id: string) => gateway.database.generations.find(id);
const isSettled = async (id: string) =>
  ['parked', 'ended'].includes(String((await find(id))?.step));

/** Orders in order, for a rule about consecutive refusals. */
async function orderSome(id: string, type: 'video' | 'image', count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1) {
    ids.push(await order(id, type));
    await until(() => isSettled(ids.at(-1) ?? ''), `${id} is settled`, settledMs);
  }
  return ids;
}

/** The longest time until an order has ended or waits, on a busy machine, in ms. */
const settledMs = 220_000;

async function statesOf(ids: readonly string[]) {
  const found = await Promise.all(ids.map(find));
  const count = (is: (each: (typeof found)[number]) => boolean) => found.filter(is).length;
  return {
    completed: count((each) => each?.status === 'completed'),
    lost: count((each) => each?.status === 'failed'),
    waiting: count((each) => each?.step === 'parked'),
  };
}

const alertsOf = (provider: string) =>
  gateway.errors.filter((line) => line.includes('"alert"') && line.includes(`"${provider}"`));

/**
 * Ends every pause, so that each may send a probe.
 * @param isOfAll Also for identical refusals.
 */
async function endPauses(isOfAll: boolean) {
  const { breakers, generations } = gateway.collections;
  const over = new Date(0);
  const version = { $inc: { version: 1 } };
  await breakers.updateMany({}, { $set: { openUntil: over, busyUntil: over }, ...version });
  if (isOfAll) {
    await plain(breakers).updateMany(
      { 'identical.holdsUntil': { $gt: over } },
      { $set: { 'identical.holdsUntil': new Date(1) }, ...version },
    );
  }
  await generations.updateMany({ step: 'parked' }, { $set: { 'attempts.$[].startedAt': over } });
}

const ordered = new Map<string, string[]>();

test('with a second route no order is lost, and without one it waits', async () => {
  const ends = await Promise.all(
    cases.map(async ({ id, type, orders, hasSecond, mayLose }) => {
      const ids = await orderSome(id, type, orders);
      ordered.set(id, ids);
      const { completed, lost, waiting } = await statesOf(ids);
      const isRight = lost <= mayLose && (hasSecond ? completed : waiting) === orders - lost;
      return isRight ? [] : [`${id}: ${JSON.stringify({ completed, lost, waiting })}`];
    }),
  );
  const drops = await Promise.all(
    dropped.map(async (id) => {
      const ids = await orderSome(id, 'video', 2);
      ordered.set(id, ids);
      const { lost } = await statesOf(ids);
      return lost === 0 ? [] : [`${id}: ${String(lost)} of 2 lost`];
    }),
  );
  expect([...ends, ...drops].flat()).toEqual([]);
});

test('each fault raises one alert with the words of the vendor, and no line has the key', async () => {
  const wrong = cases.flatMap(({ id, fault: [, , , message] }) => {
    const alerts = alertsOf(id);
    const words = message.split(/[:.]|sk-/)[0] ?? message;
    if (alerts.length === 1 && alerts[0]?.includes(words)) return [];
    return [`${id}: ${alerts.length === 0 ? 'no alert' : alerts.join(' ')}`];
  });
  expect(wrong).toEqual([]);
  expect(alertsOf('dropping')).toHaveLength(1);
  expect(alertsOf('dropping')[0]).toContain('parameter_dropped');
  expect(gateway.errors.filter((line) => line.includes(secret))).toEqual([]);
});

async function expectBooksRight(): Promise<void> {
  const { client, collections } = gateway;
  const { problems } = await verifyLedger({ ledgerAudit: createLedgerAudit(client, collections) });
  expect(problems).toEqual([]);
}

test('a refused probe keeps its order waiting, with correct books', async () => {
  const waiting = cases.filter(({ hasSecond, fault }) => !hasSecond && fault !== unknown);
  const submitsOf = (id: string) =>
    front.got.filter(({ method, path }) => method === 'POST' && path.startsWith(`/${id}/`)).length;
  const before = new Map(waiting.map(({ id }) => [id, submitsOf(id)]));
  const { database } = gateway;
  await endPauses(false);
  await until(async () => {
    const left = waiting.filter(({ id }) => submitsOf(id) === before.get(id));
    for (const { id } of left) {
      for (const generationId of ordered.get(id) ?? []) {
        await database.jobs.wake({ generationId, accountId: account.accountId });
      }
    }
    return left.length === 0;
  }, 'each is probed');
  for (const { id } of waiting) {
    const ids = ordered.get(id) ?? [];
    await until(async () => (await Promise.all(ids.map(isSettled))).every(Boolean));
    expect([id, await statesOf(ids)]).toEqual([id, { completed: 0, lost: 0, waiting: ids.length }]);
  }
  await expectBooksRight();
});

test('each waiting order is made once after the fault is fixed', async () => {
  isMended = true;
  await writeFile(String(gateway.env['ROUTES_FILE']), JSON.stringify(routesOf(false)));
  await gateway.reloadRoutes();
  await endPauses(true);
  const { database } = gateway;
  const open = new Set([...ordered.values()].flat());
  await until(
    async () => {
      for (const id of open) {
        const found = await find(id);
        if (found?.step === 'ended') {
          open.delete(id);
        } else if (found?.step === 'parked') {
          await database.jobs.wake({ generationId: id, accountId: account.accountId });
        }
      }
      return open.size === 0;
    },
    'all have ended',
    settledMs,
  );
  const late = await Promise.all(
    [...ordered].map(async ([id, ids]) => {
      const { lost } = await statesOf(ids);
      const mayLose = cases.find((each) => each.id === id)?.mayLose ?? 0;
      const made = ark.accepted(`, ${id}.`) + images.accepted(`, ${id}.`);
      return lost <= mayLose && made === ids.length - lost ? [] : [[id, { lost, made }]];
    }),
  );
  expect(late.flat()).toEqual([]);
  await expectBooksRight();
});
