import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Router } from '@koa/router';
import Koa from 'koa';
import { createSlots } from '@framegate/limits';
import {
  type WorkKind,
  workKinds,
  type WorkSlots,
} from '../../gateway/src/application/workKinds.ts';
import { atWork, does, needsNoSlot, routesOf } from '../../gateway/src/http/atWork.ts';
import type { RequestState } from '../../gateway/src/http/context.ts';
import { respondToErrors } from '../../gateway/src/http/respondToErrors.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';

/* Concurrent work: how much of it a process does for each caller, shown with held requests. */

let slots: WorkSlots;
let server: Server;
let origin = '';
/** Requests in progress, oldest first, with functions that end them. */
let held: { name: string; end: () => void }[] = [];
let begun: string[] = [];

beforeEach(async () => {
  const [ofThis, order] = [(held = []), (begun = [])] as [typeof held, typeof begun];
  const kinds = Object.entries(workKinds);
  // The machine's speed has no effect here.
  const patient = kinds.map(([name, kind]) => [name, { ...kind, maxWaitMs: Infinity }]);
  slots = createSlots(Object.fromEntries(patient) as typeof workKinds);
  const router = new Router<RequestState>();
  router.get('/memory', needsNoSlot, (ctx) => void (ctx.body = 'at once'));
  router.use(
    atWork(
      { slots, ownerOf: (ctx) => (ctx.get('person') === '' ? null : ctx.get('person')) },
      'page',
    ),
  );
  const hold = (ctx: Koa.Context) => {
    const name = ctx.get('person') || 'nobody';
    const { promise, resolve } = Promise.withResolvers<undefined>();
    order.push(name);
    ofThis.push({ name, end: () => resolve(undefined) });
    return promise.then(() => void (ctx.body = name));
  };
  router.get('/page', hold);
  router.get('/api', does('api'), hold);
  router.get('/export', does('export'), (ctx) => {
    ctx.body = new Readable({ read: () => undefined });
    (ctx.body as Readable).push('begin');
  });
  router.get('/broken', () => Promise.reject(new Error('broken')));
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use((ctx, next) => {
    Object.assign(ctx.state, { requestId: 'req_1', refused: null });
    return next();
  });
  app.use(respondToErrors({ log: collectLog().log, isDatabaseTrouble: () => false }));
  app.use(routesOf(router));
  const respond = app.callback();
  server = createServer((req, res) => void respond(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  held.forEach(({ end }) => end());
  await new Promise((done) => server.close(done));
});

/** Sends a request that can be aborted. */
function ask(path: string, person = '') {
  const sent = request(origin + path, { agent: false, headers: { person } });
  const response = new Promise<{ status: number; retryAfter: string | undefined }>((resolve) => {
    sent.once('response', (res) => {
      res.once('data', () => undefined).on('error', () => undefined);
      resolve({ status: res.statusCode ?? 0, retryAfter: res.headers['retry-after'] });
    });
    sent.on('error', () => undefined);
  });
  sent.end();
  return { response, leave: () => void sent.destroy() };
}
const countOf = (kind: WorkKind) => slots.count(kind);
const endOne = (name: string) => {
  const index = held.findIndex((each) => each.name === name);
  held.splice(index, 1)[0]?.end();
};

test('600 pages loaded at once are rendered two by two and four by four, and API requests begin meanwhile', async () => {
  const people = ['ada', 'bob', 'cem', 'dana'];
  const pages = people.flatMap((name) => Array.from({ length: 150 }, () => ask('/page', name)));
  const { maxPerCaller, maxInAll, maxWaitingPerCaller } = workKinds.page;
  const kept = people.length * (maxPerCaller + maxWaitingPerCaller);
  let refused = 0;
  for (const { response } of pages) {
    void response.then(({ status }) => (refused += Number(status === 503)));
  }
  await until(() => refused === pages.length - kept, 'more than may wait is refused');
  expect(countOf('page')).toEqual({ working: maxInAll, waiting: kept - maxInAll });
  expect(held).toHaveLength(maxInAll);
  for (const name of people) {
    expect(held.filter((each) => each.name === name).length).toBeLessThanOrEqual(maxPerCaller);
  }
  // A bystander's request begins before every page that waits.
  const bystander = ask('/api', 'eve');
  await until(() => begun.includes('eve'), 'the API works');
  endOne('eve');
  expect((await bystander.response).status).toBe(200);
  // People take turns: many pages of one person do not delay the first page of another.
  const before = begun.length;
  for (let count = 0; count < 8; count += 1) {
    held.shift()?.end();
    await until(() => held.length === maxInAll, 'the next page begins');
  }
  const next = begun.slice(before);
  expect(new Set(next)).toEqual(new Set(people));
});

test('a caller who leaves the queue frees its turn; a page keeps its slot until it is rendered, and a failed one returns it', async () => {
  const first = ['ada', 'ada'].map((name) => ask('/page', name));
  await until(() => held.length === 2, 'two are at work');
  const gone = ask('/page', 'ada');
  await until(() => countOf('page').waiting === 1, 'the third waits');
  const last = ask('/page', 'ada');
  await until(() => countOf('page').waiting === 2, 'the fourth waits');
  gone.leave();
  await until(() => countOf('page').waiting === 1, 'it has left the queue');
  // Leaving does not end the work, so it frees no slot.
  first[0]?.leave();
  await expect(ask('/memory').response).resolves.toMatchObject({ status: 200 });
  expect(countOf('page')).toEqual({ working: 2, waiting: 1 });
  endOne('ada');
  await until(() => begun.length === 3, 'the next begins');
  for (const { end } of held.splice(0)) end();
  expect((await last.response).status).toBe(200);
  expect((await ask('/broken', 'ada').response).status).toBe(500);
  await until(() => countOf('page').working === 0, 'all slots are free');
});

test('a stream keeps its slot until its connection closes: a second stream of its caller waits, others do not', async () => {
  const [first, other] = [ask('/export', 'ada'), ask('/export', 'bob')];
  expect([(await first.response).status, (await other.response).status]).toEqual([200, 200]);
  const second = ask('/export', 'ada');
  await until(() => countOf('export').waiting === 1, 'the second waits');
  const third = await ask('/export', 'ada').response;
  expect(third).toEqual({ status: 503, retryAfter: '20' });
  first.leave();
  expect((await second.response).status).toBe(200);
  for (const each of [second, other]) each.leave();
  await until(() => countOf('export').working === 0, 'all slots are free');
});

test('without a sign-in all work counts as a visit of the address, whatever the route does', async () => {
  const asked = ['/page', '/api', '/page', '/export'].map((path) => ask(path));
  await until(() => countOf('visit').working === 4, 'all of them');
  expect([countOf('page'), countOf('export')].map(({ working }) => working)).toEqual([0, 0]);
  ask('/page');
  await until(() => countOf('visit').waiting === 1, 'the fifth waits');
  expect((await asked[3]?.response)?.status).toBe(200);
});

test('a router with a route that states no kind of work does not start', () => {
  const router = new Router();
  router.get('/stated', does('page'), () => undefined);
  expect(() => routesOf(router)).not.toThrow();
  router.get('/new', () => undefined);
  expect(() => routesOf(router)).toThrow('the route HEAD,GET /new does not state its kind of work');
  // Middleware covers only later registrations.
  router.use(needsNoSlot);
  router.get('/later', () => undefined);
  expect(() => routesOf(router)).toThrow('/new');
});

test('every kind gives its slots to several callers, and bounds all waiting work', () => {
  for (const [
    kind,
    { maxPerCaller, maxInAll, maxWaitingPerCaller, maxWaiting, maxWaitMs },
  ] of Object.entries(workKinds)) {
    if (kind !== 'report') expect([kind, maxInAll >= 2 * maxPerCaller]).toEqual([kind, true]);
    expect(maxWaitingPerCaller).toBeLessThan(maxWaiting);
    // Work that only takes a free slot has no queue.
    expect([kind, maxWaitMs === 0]).toEqual([kind, maxWaitingPerCaller === 0]);
  }
});

describe('slow readers', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  test('in all slots of exports keep others out no longer than the server tolerates them', async () => {
    const own = createSlots({ export: { ...workKinds.export, maxInAll: 3 } });
    const slowMs = 15_000;
    const log: string[] = [];
    const enter = (name: string) =>
      own.enter('export', [{ group: name.charAt(0), times: 1 }]).then(
        (slot) => {
          log.push(name);
          // The server closes whoever reads slowly.
          if (name.includes('slow')) setTimeout(() => slot.leave(), slowMs);
        },
        () => void log.push(`${name}: none`),
      );
    for (const name of ['a slow', 'b slow', 'c slow', 'x bystander']) void enter(name);
    await jest.advanceTimersByTimeAsync(slowMs - 1);
    for (const name of ['a slow again', 'c slow again']) void enter(name);
    await jest.advanceTimersByTimeAsync(1);
    expect(log.slice(0, 4)).toEqual(['a slow', 'b slow', 'c slow', 'x bystander']);
    expect(log.slice(4)).toEqual(['a slow again', 'c slow again']);
  });
});
