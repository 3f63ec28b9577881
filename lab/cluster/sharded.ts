import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { verifyLedger } from '../../gateway/src/application/accounts/verifyLedger.ts';
import { shardOf, shardPosition } from '../../gateway/src/domain/ids.ts';
import {
  openFaultWorld,
  quickTimings,
  type FaultAccount,
  type FaultWorld,
} from '../../test/faults/faultWorld.ts';
import { clipOrder } from '../../test/faults/orders.ts';
import { startReplicaSet } from '../../test/faults/startReplicaSet.ts';
import { startRoles, type Roles } from '../fleet/roles.ts';

const partCount = 2;
const accountsOfPart = 5;
const ordersOfAccount = 8;
const atOnce = 6;
/** How long one generation may take, in ms: a worker is killed meanwhile. */
const endsWithinMs = 120_000;

/** A gateway with a database of its own. */
interface Part {
  world: FaultWorld;
  roles: Roles;
}

/** The part of an id by its letters: each part has an equal range of them. */
const partOf = (id: string): number => Math.floor(shardPosition(shardOf(id)) * partCount);

/**
 * Plays orders against two gateways with a replica set each, behind a router that chooses by the letters of ids, while
 * a worker of each is killed. They stand in for a sharded cluster: no `mongos` is available here.
 * @returns Broken promises, in words.
 */
export async function runSharded(note: (line: string) => void): Promise<string[]> {
  note('not played: shards behind mongos; two replica sets behind a router stand in for them');
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const parts: Part[] = [];
    for (let index = 0; index < partCount; index += 1) {
      const replicas = await startReplicaSet(1, `part${index}`);
      closing.push(() => replicas.stop());
      const world = await openFaultWorld({ uri: replicas.uri, timings: quickTimings });
      closing.push(() => world.close());
      parts.push({ world, roles: await startRoles(world, { api: 1, worker: 2 }) });
    }
    const accounts = (await Promise.all(parts.map(addAccounts))).flat();
    const router = await startRouter(parts, accounts);
    closing.push(() => router.close());
    note(`${partCount} gateways with a database each serve ${accounts.length} accounts`);
    const limit = pLimit(atOnce);
    const orders = accounts.flatMap((account) =>
      Array.from({ length: ordersOfAccount }, () => limit(() => order(router.origin, account))),
    );
    const kills = parts.map(async ({ roles }) => {
      await pause(2_000);
      const worker = roles.pick('worker', () => 0);
      if (worker) await roles.kill(worker);
    });
    const told = await Promise.all(orders);
    await Promise.all(kills);
    const wrong = told.flat();
    note(`${told.length} orders have their end, beside the kill of a worker of each gateway`);
    for (const [index, { world }] of parts.entries()) {
      const { accounts: checked, problems } = await verifyLedger(world);
      note(`ledger verify of part ${index}: ${checked} accounts, ${problems.length} problems`);
      wrong.push(...problems.map((problem) => JSON.stringify(problem)));
      const stored = await world.mongo.collections.generations
        .find({}, { projection: { accountId: 1, status: 1, 'attempts.outcome': 1 } })
        .toArray();
      if (stored.length !== accountsOfPart * ordersOfAccount) {
        wrong.push(`part ${index} has ${stored.length} generations`);
      }
      for (const { _id, accountId, status, attempts } of stored) {
        if (partOf(_id) !== index || partOf(accountId) !== index) wrong.push(`${_id} lies astray`);
        // A call of the provider that died with its worker is not made again: the order is refunded.
        const isLost = status === 'failed' && attempts.at(-1)?.outcome === 'unknown';
        if (status !== 'completed' && !isLost) wrong.push(`${_id} is ${status}`);
      }
    }
    return wrong;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** Accounts whose letters are those of this part; others that it happens to make stay unused. */
async function addAccounts({ world }: Part, index: number): Promise<FaultAccount[]> {
  const own: FaultAccount[] = [];
  while (own.length < accountsOfPart) {
    const account = await world.addAccount(1_000_000);
    if (partOf(account.accountId) === index) own.push(account);
  }
  return own;
}

/** Sends requests on by the id in their path, or else by the account of their key. */
async function startRouter(parts: readonly Part[], accounts: readonly FaultAccount[]) {
  const accountOf = new Map(accounts.map(({ apiKey, accountId }) => [apiKey, accountId]));
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const key = headers.authorization?.replace('Bearer ', '') ?? '';
    const id = /\bgen_[0-9a-z]{26}\b/.exec(url)?.[0] ?? accountOf.get(key) ?? '';
    const send = async () => {
      const origin = parts[partOf(id)]?.roles.origins()[0] ?? '';
      const names = ['authorization', 'content-type', 'idempotency-key'];
      const sent = names.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
      const answer = await fetch(origin + url, {
        method,
        headers: Object.fromEntries(sent) as Record<string, string>,
        ...(method === 'POST' && { body: await text(request) }),
        signal: AbortSignal.timeout(30_000),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    };
    send().catch(() => response.writeHead(502).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Orders a clip, once more under the same key, and polls until its end. @returns What went wrong, in words. */
async function order(origin: string, { apiKey, accountId }: FaultAccount): Promise<string[]> {
  const { path, body } = clipOrder(`sharded ${randomUUID()}`);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const post = async () => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const [first, again] = [await post(), await post()];
  if (first.status !== 202) return [`a create of ${accountId}: ${first.status} ${first.text}`];
  const wrong = again.text === first.text ? [] : [`a replay of ${accountId} differs`];
  const { id } = JSON.parse(first.text) as { id: string };
  const until = performance.now() + endsWithinMs;
  while (performance.now() < until) {
    const answer = await fetch(`${origin}/v1/generations/${id}`, { headers });
    const { status } = (await answer.json()) as { status?: string };
    if (status === 'completed' || status === 'failed') return wrong;
    await pause(500);
  }
  return [...wrong, `${id} has no end`];
}
