import { expect, test } from '@jest/globals';
import { operatorOpenApiSteps } from '@framegate/contract/operator';
import { createSlots } from '@framegate/limits';
import type { FindUsage } from '../../gateway/src/application/ports/operator.ts';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import { createOperatorApp } from '../../gateway/src/http/app.ts';
import { startServer } from '../../gateway/src/http/server.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';

test('reports and long pages have two slots in a process, and other calls have their own', async () => {
  const ends: (() => void)[] = [];
  const slots = createSlots(workKinds);
  const findUsage: FindUsage = () =>
    new Promise((resolve) => ends.push(() => resolve({ counts: [], costs: [] })));
  const key = { id: 'opk_1', scopes: ['reports:read', 'accounts:read'], addresses: [] };
  const log = collectLog().log;
  const app = createOperatorApp({
    operator: {
      findUsage,
      clock: { now: () => 0 },
      accountList: { listPage: async () => [] },
      database: { accounts: {} },
    } as never,
    authenticateOperator: async () => key as never,
    allowances: { take: () => null },
    noteRead: async () => undefined,
    operatorOpenApi: operatorOpenApiSteps,
    stopSignal: new AbortController().signal,
    slots,
    log,
    mediaPath: '/media',
    clock: { now: () => 0 },
    trustedProxies: { hops: 0 },
    random: { newId: () => 'req_1' },
    isDatabaseTrouble: () => false,
  });
  const server = await startServer({
    app,
    host: '127.0.0.1',
    port: 0,
    log,
    random: { newId: () => 'req_1' },
  });
  const ask = (path: string) => fetch(`${server.url}/operator/v1${path}`);
  const reports = [1, 2, 3].map((day) =>
    ask(`/reports/usage?from=2026-01-0${day}&to=2026-01-05&by=day`),
  );
  const longPage = ask('/accounts?limit=101');
  await until(() => slots.count('report').waiting === 2, 'the third and the long page wait');
  expect(ends).toHaveLength(2);
  // A refused request and a page of usual length did not wait.
  expect((await ask('/accounts/no')).status).toBeGreaterThan(200);
  expect((await ask('/accounts?limit=100')).status).toBe(200);
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => {
    ends.shift()?.();
    const { working, waiting } = slots.count('report');
    return working + waiting === 0;
  }, 'all are answered');
  const responses = await Promise.all([...reports, longPage]);
  for (const { status } of responses) expect(status).toBe(200);
  await server.stop({ pauseMs: 0, graceMs: 0 });
});
