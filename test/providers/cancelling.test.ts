import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import type { CancelResult } from '@framegate/provider-routes';
import { openPackage } from '../../gateway/providers/test/packageFixtures.ts';
import {
  closeRoutes,
  never,
  openRoute,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { failAndRefund } from '../../gateway/src/application/staff/generationActions.ts';
import { takeTestDatabase } from '../support/database.ts';
import { startFakeArk } from '../support/fakeArk/fakeArk.ts';
import {
  acceptedBy,
  accountOf,
  jobOf,
  openWorkProcess,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

afterAll(closeRoutes);

describe('a job', () => {
  const cases = [
    ['fal', 'fal-ai/x', 'PUT', '/fal-ai/x/requests/1/cancel', 'Key secret-key'],
    ['replicate', 'a/b', 'POST', '/v1/predictions/1/cancel', 'Bearer secret-key'],
  ] as const;
  test.each(cases)('is cancelled at %s as its API documents it', async (name, model, ...asked) => {
    const [method, path, authorization] = asked;
    let planned: [number, object] = [202, { status: 'CANCELLATION_REQUESTED' }];
    const server: TinyServer = await startTinyServer((_, response) => json(response, ...planned));
    try {
      const { route } = await openPackage(server, name, model);
      const operation = route.operationOf?.('1');
      const cancelled = await route.cancel?.(operation, never);
      expect(cancelled).toEqual({ isAccepted: true, note: '202: CANCELLATION_REQUESTED' });
      expect(server.got).toMatchObject([{ method, path, headers: { authorization } }]);

      planned = [400, { status: 'ALREADY_COMPLETED' }];
      const late = await route.cancel?.(operation, never);
      expect(late).toEqual({ isAccepted: false, note: '400: ALREADY_COMPLETED' });
      // The key goes to the API alone, whatever an operation names.
      const elsewhere = { responseUrl: 'https://evil.example/1', getUrl: 'https://evil.example/1' };
      expect(await route.cancel?.(elsewhere, never)).toMatchObject({ isAccepted: false });
      expect(server.got).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  test('is cancelled at ModelArk while it is queued, and refused once it runs', async () => {
    const ark = await startFakeArk({ apiKey: 'secret-key' });
    try {
      const { route } = await openRoute(
        {
          kind: 'model-ark',
          baseURL: ark.baseURL,
          allowPrivateNetwork: true,
          mediaHosts: [ark.mediaHost],
        },
        'seedance',
      );
      ark.script({ on: 'task', prompt: 'runs', plan: { polls: 0, end: 'never' } });
      const request = (prompt: string) => videoRequest({}, { prompt });
      const order = async (prompt: string) => {
        const made = await route.submit(request(prompt), never);
        return made.kind === 'accepted' ? made.operation : null;
      };
      const queued = await order('queued');
      expect(await route.cancel?.(queued, never)).toEqual({ isAccepted: true, note: '200' });
      const running = await order('runs');
      for (let poll = 0; poll < 2; poll += 1) await route.poll(running, request('runs'), never);
      expect(await route.cancel?.(running, never)).toEqual({
        isAccepted: false,
        note: expect.stringContaining('409: '),
      });
      expect(ark.submitted().map(({ isCancelled }) => isCancelled)).toEqual([true, undefined]);
    } finally {
      await ark.close();
    }
  });

  test('whose provider does not respond is given up with the signal', async () => {
    const server = await startTinyServer(() => undefined);
    try {
      const { route } = await openPackage(server, 'fal', 'fal-ai/x');
      const cancelled = route.cancel?.(route.operationOf?.('1'), AbortSignal.timeout(50));
      expect(await cancelled).toMatchObject({ isAccepted: false });
    } finally {
      await server.close();
    }
  });
});

describe('a generation that ends without its result', () => {
  const database = takeTestDatabase();
  let world: WorkProcess;
  /** Stored state when the provider is asked, by generation. */
  const seen: Record<string, object> = {};
  const asked: unknown[] = [];
  let accountId = '';
  let said: () => Promise<CancelResult>;
  const { signal } = new AbortController();

  beforeAll(async () => {
    const route = routeTo('p', {
      async cancel(operation, _, key) {
        asked.push([operation, key]);
        const account = await world.mongo.database.accounts.find(accountId);
        seen['account'] = { running: account?.running, lots: account?.lots.length };
        return said();
      },
    });
    world = await openWorkProcess(database.uri, { routes: routesOf({ m: [route] }) });
  });
  afterAll(async () => {
    await world.mongo.close();
    await database.drop();
  });

  async function submitted(id: string, deadlineAt: (nowMs: number) => number): Promise<void> {
    const nowMs = world.mongo.clock.now();
    accountId = `acct_${id}`;
    await world.mongo.database.accounts.insert(accountOf(accountId, nowMs, 1));
    asked.splice(0);
    await store(world.mongo, [
      workGeneration(id, accountId, nowMs, {
        step: 'submitted',
        status: 'processing',
        startedAt: nowMs - minuteMs,
        deadlineAt: deadlineAt(nowMs),
        attempts: [{ ...acceptedBy('p', nowMs), key: 'KEY_2' }],
      }),
    ]);
  }
  const find = (id: string) => world.mongo.database.generations.find(id);

  test('by its deadline has its job cancelled behind the refund, with the key that ordered it', async () => {
    said = async () => ({ isAccepted: true, note: '202' });
    await submitted('gen_late', (nowMs) => nowMs - 1_000);
    await runGeneration(world.deps, jobOf('gen_late', accountId), signal);
    expect(asked).toEqual([[{ id: 'task' }, 'KEY_2']]);
    expect(seen['account']).toMatchObject({ running: 0 });
    expect(await find('gen_late')).toMatchObject({
      step: 'ended',
      failure: { code: 'generation_timeout' },
      attempts: [{ outcome: 'accepted', cancel: { isAccepted: true, note: '202' } }],
    });
  });

  test('by staff has its job cancelled as well; a failed cancellation changes nothing', async () => {
    said = () => Promise.reject(new Error('a bug'));
    await submitted('gen_staff', (nowMs) => nowMs + minuteMs);
    const done = await failAndRefund(world.deps, 'gen_staff', { by: 'a@b.c', reason: 'test' });
    expect(done).toContain('30 credits refunded');
    expect(asked).toHaveLength(1);
    expect(await find('gen_staff')).toMatchObject({
      step: 'ended',
      status: 'failed',
      attempts: [{ outcome: 'failed', cancel: { isAccepted: false, note: 'a bug' } }],
    });
  });

  test('in time is not cancelled', async () => {
    await submitted('gen_going', (nowMs) => nowMs + minuteMs);
    await runGeneration(world.deps, jobOf('gen_going', accountId), signal);
    expect(asked).toEqual([]);
  });
});
