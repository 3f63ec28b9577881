import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sum } from '@framegate/contract';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import type { FaultAccount } from '../faults/faultWorld.ts';
import { clipOrder } from '../faults/orders.ts';
import type { GatewayProcess } from '../faults/startGatewayProcess.ts';
import { useFaultWorld } from '../faults/useFaultWorld.ts';
import { freePort } from '../support/freePort.ts';
import { until } from '../support/until.ts';
import { type NameServer, startNameServer } from './support/nameServer.ts';
import { type Caddy, startCaddy } from './support/startCaddy.ts';

/* Three API processes behind real Caddy with the file of compose.yaml. */

interface Api extends GatewayProcess {
  host: string;
  metrics: string;
}

const opened = useFaultWorld({ env: { TRUST_PROXY: '127.0.0.1' } });
const apis: Api[] = [];
let names: NameServer;
let caddy: Caddy;
let origin: string;

beforeAll(async () => {
  const port = String(await freePort());
  const hosts = ['127.0.3.1', '127.0.3.2', '127.0.3.3'];
  const start = async (host: string) => {
    const metricsPort = String(await freePort());
    const own = { ROLE: 'api', HOST: host, PORT: port, METRICS_PORT: metricsPort };
    const started = await opened().start(own);
    apis.push({ ...started, host, metrics: `http://127.0.0.1:${metricsPort}/metrics` });
  };
  await Promise.all(hosts.map(start));
  names = await startNameServer(() => hosts);
  origin = `http://127.0.0.1:${await freePort()}`;
  const env = { UPSTREAM_HOST: 'api.framegate.test', UPSTREAM_PORT: port };
  caddy = await startCaddy(
    { SITE_HOST: origin, MEDIA_HOST: 'http://files.test:1', ...env },
    `127.0.0.1:${names.port}`,
  );
  await until(isThere);
}, 120_000);

afterAll(async () => {
  await caddy.close();
  await names.close();
});

/** A request without a key, which is refused. */
const get = (headers: Record<string, string>) =>
  fetch(`${origin}/v1/models`, { headers, signal: AbortSignal.timeout(5_000) });

/** Whether a process asks for a key. */
const isThere = () =>
  get({}).then(
    ({ status }) => status === 401,
    () => false,
  );

/** Number of requests that each process has answered. */
const answered = () =>
  Promise.all(
    apis.map(async ({ metrics }) => {
      const text = await (await fetch(metrics)).text();
      const lines = text.matchAll(/^framegate_http_requests_total\{.*\} (\d+)$/gm);
      return sum([...lines].map(([, count]) => Number(count)));
    }),
  );

/** The processes that handle these requests, by their number. */
async function answering(requests: () => Promise<unknown>): Promise<number[]> {
  const before = await answered();
  await requests();
  const after = await answered();
  return [...after.keys()].filter((index) => after[index] !== before[index]);
}

/** The longest time of a create request whose process dies: until another process has ended its sessions. */
const boundMs = 30_000;

/** One create request, repeated under its key until it is accepted. @returns Its id, and how long that took. */
async function create({ apiKey }: FaultAccount, prompt: string) {
  const { path, body } = clipOrder(prompt);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const startedAt = performance.now();
  for (;;) {
    const response = await fetch(origin + path, sent);
    const text = await response.text();
    if (response.status === 202) {
      const { id } = JSON.parse(text) as { id: string };
      return { id, tookMs: performance.now() - startedAt };
    }
    // The proxy's response for a connection that broke under a request, and the gateway's for an account that the dead
    // process has locked.
    const isTransient =
      [502, 503].includes(response.status) && performance.now() - startedAt < boundMs;
    if (!isTransient) throw new Error(`${response.status}: ${text}`);
    await pause(50);
  }
}

test('requests of a key or a session meet in one process, and different ones are spread', async () => {
  const account = await opened().addAccount(1_000);
  const ofKey = await answering(async () => {
    for (let number = 0; number < 6; number += 1) await create(account, `clip ${number}.`);
  });
  expect(ofKey).toHaveLength(1);
  const ofSession = await answering(async () => {
    for (let number = 0; number < 6; number += 1) {
      await get({ cookie: `seen=${number}; __Host-fg_session=of-one-browser` });
    }
  });
  expect(ofSession).toHaveLength(1);
  // The test chooses a session's name; a caller's address is constant.
  const ofAddress = await answering(async () => {
    for (let number = 0; number < 6; number += 1) await get({ 'x-caller': String(number) });
  });
  expect(ofAddress).toHaveLength(1);
  const ofMany = await answering(async () => {
    for (let number = 0; number < 20; number += 1) {
      await get({ cookie: `__Host-fg_session=browser-${number}` });
    }
  });
  expect(ofMany.length).toBeGreaterThan(1);
});

test('when the process of a key dies, another responds within seconds and no create is lost', async () => {
  const world = opened();
  const count = 24;
  const account = await world.addAccount(10_000);
  const first = create(account, 'the first clip.');
  const [home = -1] = await answering(() => first);
  const orders = Array.from({ length: count - 1 }, (_, number) => `clip ${number}.`);
  const done = [await first];
  const client = async () => {
    for (let prompt = orders.shift(); prompt !== undefined; prompt = orders.shift()) {
      done.push(await create(account, prompt));
      // Its name stays listed, because the proxy is not notified.
      if (done.length === count / 3) apis[home]?.signal('SIGKILL');
    }
  };
  await Promise.all([client(), client(), client()]);
  expect(apis[home]?.isAlive()).toBe(false);
  expect(new Set(done.map(({ id }) => id)).size).toBe(count);
  expect(Math.max(...done.map(({ tookMs }) => tookMs))).toBeLessThan(boundMs);
  expect(await verifyLedger({ ledgerAudit: world.ledgerAudit })).toMatchObject({ problems: [] });
  const found = await world.mongo.collections.accounts.findOne({ _id: account.accountId });
  expect(found).toMatchObject({ inFlightCredits: count * clipOrder('').credits });
});
