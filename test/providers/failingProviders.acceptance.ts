import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { maxFailures } from '../../gateway/src/domain/providers/breaker.ts';
import { arkProvider } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { ApiResponse, TestAccount, TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';

/* Providers and models that are skipped while they fail, and their recovery. */

let first: FakeArk;
let second: FakeArk;
let gateway: TestGateway;
let account: TestAccount;

beforeAll(async () => {
  first = await startFakeArk();
  second = await startFakeArk();
  const sick = arkProvider(first);
  const route = (
    provider: string,
    { does = {}, ...more }: { does?: object; model?: string } = {},
  ) => ({
    provider,
    model: 'seedance',
    ...more,
    does: { ...statedVideo, ...does },
  });
  const routes = {
    providers: {
      sick,
      full: sick,
      lone: sick,
      gone: sick,
      keyless: sick,
      unpaid: sick,
      overdue: sick,
      well: arkProvider(second),
      // One slot: a generation that waits in vain would hold up all others.
      mixed: { ...sick, maxConcurrent: 1 },
    },
    models: {
      'alpha-2.0-pro': [route('sick'), route('well')],
      'alpha-2.0-fast': [route('full'), route('well')],
      'alpha-2.0-mini': [route('lone')],
      'alpha-2.5-lite': [route('gone')],
      'beta-3.0': [
        route('keyless', { does: { resolutions: ['720p'] } }),
        route('unpaid', { does: { resolutions: ['1080p'] } }),
        route('overdue', { does: { resolutions: ['2160p'] } }),
      ],
      'alpha-2.5': [
        route('mixed', { model: 'retired', does: { resolutions: ['480p'] } }),
        route('mixed', { does: { resolutions: ['720p'] } }),
      ],
    },
  };
  gateway = await startRoutedGateway(routes, { ARK_API_KEY: first.apiKey });
  // Generations that wait for a provider keep their slots: there must be enough.
  account = await gateway.addAccount({ credits: 100_000, limits: { running: 1000 } });
});

afterEach(() => {
  first.reset();
  second.reset();
});

afterAll(async () => {
  await gateway.stop();
  await first.close();
  await second.close();
});

const order = (
  model: string,
  prompt: string,
  parameters: object = {},
  by = account,
): Promise<ApiResponse> => by.post('/v1/videos', video({ model, prompt, parameters }));

async function make(model: string, prompt: string): Promise<Record<string, unknown>> {
  const { status, json } = await order(model, prompt);
  expect(status).toBe(202);
  return account.untilEnded(String(json['id']));
}

/** Orders a video and waits until a provider has taken it. */
async function place(model: string, prompt: string, by = account): Promise<void> {
  expect((await order(model, prompt, {}, by)).status).toBe(202);
  await until(() => first.accepted(prompt) + second.accepted(prompt) === 1);
}

/** As many concurrent orders as open a provider's circuit when they fail. */
const makeSome = (model: string, prompt: string) =>
  Promise.all(Array.from({ length: maxFailures }, () => make(model, prompt)));

/** Ends or begins a provider's pause, as every process will read it. */
async function setBreaker(
  provider: string,
  change: { openUntil: Date; openedAt?: Date },
): Promise<void> {
  const { breakers } = gateway.collections;
  await breakers.updateOne({ _id: provider }, { $set: change, $inc: { version: 1 } });
}

const breakerOf = (provider: string) => gateway.collections.breakers.findOne({ _id: provider });

/** Waits for the end of a parked generation, while repeatedly looking for a slot for it. */
async function untilServed(id: string): Promise<Record<string, unknown>> {
  const { database } = gateway;
  await until(async () => {
    await database.jobs.wake({ generationId: id, accountId: account.accountId });
    return (await database.generations.find(id))?.step !== 'parked';
  });
  return account.untilEnded(id);
}

const over = new Date(0);
const later = () => new Date(Date.now() + 50_000);
const wrongKey = { kind: 'error', status: 401, code: 'AuthenticationError' } as const;
const otherKind = { kind: 'error', status: 403, code: 'AccessRefused' } as const;
const alerts = (provider: string) =>
  gateway.errors.filter((line) => line.includes(`provider_circuit_open","provider":"${provider}"`));

describe('a provider that fails', () => {
  test('is skipped after some identical consecutive refusals, until a probe succeeds', async () => {
    first.script({ on: 'submit', fault: otherKind });
    const other = await gateway.addAccount({ credits: 100_000 });
    for (let i = 0; i <= maxFailures; i += 1) {
      await place('alpha-2.0-pro', `lake ${i}`, i % 2 === 0 ? account : other);
    }
    expect(first.submitted()).toHaveLength(maxFailures);
    expect(second.submitted()).toHaveLength(maxFailures + 1);
    const told = gateway.errors.filter((line) => line.includes('"provider":"sick"'));
    expect(told).toHaveLength(1);
    for (const part of ['model_circuit_open', 'AccessRefused']) expect(told[0]).toContain(part);

    await setBreaker('sick seedance', { openUntil: over });
    first.reset();
    // Every process reads breakers every few seconds; the first reader sends the probe.
    for (let i = 0; first.submitted().length === 0; i += 1) {
      await place('alpha-2.0-pro', `more ${i}`);
    }
    await until(async () => (await breakerOf('sick seedance'))?.['openedAt'] === null);
    second.reset();
    await place('alpha-2.0-pro', 'back again');
    expect([first, second].map((ark) => ark.accepted('back again'))).toEqual([1, 0]);
  });

  test('makes generations of its only model wait, and the probe makes one of them', async () => {
    first.script({ on: 'submit', prompt: 'sea', fault: { kind: 'html', status: 503 } });
    for (const record of await makeSome('alpha-2.0-mini', 'sea')) {
      expect(record).toMatchObject({
        status: 'failed',
        error: { code: 'generation_failed' },
        billing: { status: 'refunded' },
      });
    }
    await until(async () => alerts('lone').length === 1);
    const { status, json } = await order('alpha-2.0-mini', 'sky');
    expect(status).toBe(202);
    const id = String(json['id']);
    const { database } = gateway;
    await until(async () => (await database.generations.find(id))?.step === 'parked');
    expect((await account.get(`/v1/generations/${id}`)).json).toMatchObject({ status: 'queued' });
    expect(first.accepted('sky')).toBe(0);

    await setBreaker('lone', { openUntil: over });
    expect(await untilServed(id)).toMatchObject({ status: 'completed' });
    expect(first.accepted('sky')).toBe(1);
  });

  test('makes its only model unavailable after ten minutes, before any charge', async () => {
    first.script({ on: 'submit', prompt: 'snow', fault: { kind: 'drop' } });
    await makeSome('alpha-2.5-lite', 'snow');
    await until(async () => alerts('gone').length === 1);
    const tenMinutesAgo = new Date(Date.now() - 11 * minuteMs);
    await setBreaker('gone', { openedAt: tenMinutesAgo, openUntil: later() });
    await until(async () => (await order('alpha-2.5-lite', 'rain')).status === 503);
    const before = await account.get('/v1/credits/balance');
    const refused = await order('alpha-2.5-lite', 'rain');
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({ error: { code: 'model_unavailable', retryable: true } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    const after = await account.get('/v1/credits/balance');
    expect(after.json['available']).toBe(before.json['available']);
    // Other models continue, and this one takes an order again when a probe is due.
    await place('alpha-2.0-fast', 'others');
    await setBreaker('gone', { openUntil: over });
    first.reset();
    await until(async () => (await order('alpha-2.5-lite', 'sun')).status === 202);
    await until(async () => first.accepted('sun') > 0);
  });
});

describe('a key that is refused, or an account without credit', () => {
  test.each([
    ['720p', 'keyless', wrongKey],
    ['1080p', 'unpaid', { kind: 'error', status: 402, code: 'InsufficientBalance' } as const],
    ['2160p', 'overdue', { kind: 'error', status: 403, code: 'AccountOverdueError' } as const],
  ])(
    'fails no generation in %s: it waits for %s, with one alert: %j',
    async (resolution, name, fault) => {
      first.script({ on: 'submit', prompt: 'fog', fault });
      const { database } = gateway;
      const ids: string[] = [];
      for (const prompt of ['fog one', 'fog two']) {
        const { status, json } = await order('beta-3.0', prompt, { resolution });
        expect(status).toBe(202);
        ids.push(String(json['id']));
        await until(
          async () => (await database.generations.find(ids.at(-1) ?? ''))?.step === 'parked',
        );
      }
      // Orders of the test before may still arrive at the same provider.
      expect(first.submitted().filter(({ prompt }) => prompt.startsWith('fog'))).toHaveLength(1);
      expect(alerts(name)).toHaveLength(1);
      expect(alerts(name)[0]).toMatch(/check (it|its balance), /);
      expect(alerts(name)[0]).toContain(fault.code);
      first.reset();
      await setBreaker(name, { openUntil: over });
      for (const id of ids) {
        expect(await untilServed(id)).toMatchObject({ status: 'completed' });
      }
      expect(await database.generations.find(ids[0] ?? '')).toMatchObject({
        attempts: [{ outcome: 'refused' }, { outcome: 'completed' }],
      });
    },
  );
});

describe('a model that no longer exists', () => {
  const missing = { kind: 'error', status: 404, code: 'InvalidEndpointOrModel.NotFound' } as const;
  const orderOld = async (prompt: string): Promise<string> => {
    const { status, json } = await order('alpha-2.5', prompt, { resolution: '480p' });
    expect(status).toBe(202);
    return String(json['id']);
  };

  test('opens its circuit alone: its neighbour at the same provider stays in service', async () => {
    first.script({ on: 'submit', prompt: 'old', fault: missing });
    const refused = await orderOld('old one');
    const told = () =>
      gateway.errors.filter((line) => line.includes('"model_circuit_open","provider":"mixed"'));
    await until(() => told().length > 0);
    const [alert, ...more] = told();
    expect(alert).toContain('"providerModel":"retired"');
    expect(more).toEqual([]);
    expect(alert).toContain('check its ID in ROUTES_FILE');
    expect(alerts('mixed')).toEqual([]);
    expect(await breakerOf('mixed')).toBeNull();
    await setBreaker('mixed retired', { openUntil: later() });

    const { database } = gateway;
    const waiting = await orderOld('one that waits');
    const stepOf = async () => (await database.generations.find(waiting))?.step;
    await until(async () => (await stepOf()) === 'parked');
    expect((await database.generations.find(waiting))?.waitsFor?.providers).toEqual([
      'mixed retired',
    ]);
    for (const prompt of ['new one', 'new two']) {
      expect(await make('alpha-2.5', prompt)).toMatchObject({ status: 'completed' });
    }
    expect(await stepOf()).toBe('parked');
    expect(first.accepted('one that waits')).toBe(0);
    first.reset();

    // Its own probe notices its recovery, and makes the waiting one.
    await setBreaker('mixed retired', { openUntil: over });
    for (const id of [refused, waiting]) {
      expect(await untilServed(id)).toMatchObject({ status: 'completed' });
    }
    await until(async () => (await breakerOf('mixed retired'))?.['openedAt'] === null);
  });
});

describe('a busy provider', () => {
  test('is left alone for as long as it asks', async () => {
    const fault = { kind: 'error', status: 429, code: 'RateLimit', retryAfter: '120' } as const;
    first.script({ on: 'submit', prompt: 'hill', fault, times: 1 });
    await place('alpha-2.0-fast', 'hill one');
    await until(async () => (await breakerOf('full')) !== null);
    await place('alpha-2.0-fast', 'hill two');
    const hills = first.submitted().filter(({ prompt }) => prompt.startsWith('hill'));
    expect(hills.map(({ prompt }) => prompt)).toEqual(['hill one']);
    expect(second.accepted('hill')).toBe(2);
    const breaker = await breakerOf('full');
    expect(breaker).toMatchObject({ openedAt: null, failures: 0 });
    expect(Number(breaker?.['busyUntil']) - Date.now()).toBeGreaterThan(100_000);
  });
});
