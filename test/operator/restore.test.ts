import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectMongo } from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { formatCursor } from '../../gateway/src/domain/feed/cursor.ts';
import { FramegateOperator, type LedgerEntry } from '../../integrations/operator/src/index.ts';
import { freePort } from '../support/freePort.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';
import { backUp } from './support/backUp.ts';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

/* The feeds after a restore of the database from a backup, which loses the newest items. */

const { world, operator } = useOperatorWorld();
/** A second process on the same database. */
let other: TestGateway;
beforeAll(async () => {
  other = await startProcess();
});
afterAll(async () => {
  await other.stop();
  expect(other.errors).toEqual([]);
});

async function startProcess() {
  const ports = { PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
  return startTestGateway({ ...world.gateway.env, ...ports });
}

const placeOf = (cursor: string) => Buffer.from(cursor, 'base64url').toString().split(' ');

const clientAt = (gateway: TestGateway) =>
  new FramegateOperator({
    baseUrl: `${gateway.operatorUrl ?? ''}/operator/v1`,
    operatorKey: operator.operatorKey,
  });

/** A product that keeps books from the ledger and a list of the events. */
function createProduct() {
  const books = new Map<string, { position: number; entry: LedgerEntry }>();
  const events = new Map<string, number>();
  const restoredTo: number[] = [];
  const after: { ledger?: string; events?: string } = {};
  const forget = (held: Map<string, number | { position: number }>, beyond: number) => {
    for (const [id, each] of held) {
      if ((typeof each === 'number' ? each : each.position) > beyond) held.delete(id);
    }
  };
  return {
    books,
    events,
    restoredTo,
    /** Reads on to the end of both feeds. */
    async follow(gateway: TestGateway) {
      const client = clientAt(gateway);
      const ledger = client.followLedger(
        { after: after.ledger, limit: 3 },
        {
          stopAtEnd: true,
          onRestored({ position }) {
            restoredTo.push(position);
            forget(books, position);
          },
        },
      );
      for await (const { data, next } of ledger) {
        for (const entry of data) {
          const position = entry.position ?? 0;
          const held = books.get(entry.id)?.entry ?? entry;
          expect({ ...held, position }).toEqual(entry);
          books.set(entry.id, { position, entry });
        }
        after.ledger = next;
      }
      const fed = client.followEvents(
        { after: after.events, limit: 3 },
        { stopAtEnd: true, onRestored: ({ position }) => forget(events, position) },
      );
      for await (const { data, next } of fed) {
        for (const { id, position } of data) events.set(id, position);
        after.events = next;
      }
    },
    cursor: () => after.ledger ?? '',
  };
}

/** The sums of each account by the books. */
function sums({ books }: ReturnType<typeof createProduct>) {
  const all = new Map<string, number>();
  for (const { entry } of books.values()) {
    all.set(entry.account_id, (all.get(entry.account_id) ?? 0) + entry.amount);
  }
  return all;
}

async function grant(accountId: string, amounts: readonly number[]) {
  for (const amount of amounts) {
    const path = `/accounts/${accountId}/credits/grants`;
    await operator.post(path, { amount, kind: 'purchased', reference: `pay-${amount}` });
  }
}

test('followers in two processes, one behind the backup, are notified once and end with the books of the database', async () => {
  const accountId = await world.addCustomer();
  const [one, two, behind] = [createProduct(), createProduct(), createProduct()];
  const followBoth = async () => {
    await two.follow(other);
    await one.follow(world.gateway);
  };
  await grant(accountId, [1, 2, 3, 4, 5]);
  await followBoth();
  await behind.follow(other);
  await grant(accountId, [6]);
  const putBack = await backUp(world.gateway.db);
  await grant(accountId, [7, 8, 9]);
  await followBoth();
  await grant(accountId, [10, 11]);
  await one.follow(world.gateway);
  const lost = [...one.books.keys()];

  await putBack();
  await grant(accountId, [101, 102, 103, 104, 105, 106, 107, 108]);
  await followBoth();
  await behind.follow(other);
  // One process has noticed the restore and begun an epoch.
  const alerts = [...world.gateway.errors.splice(0), ...other.errors.splice(0)];
  expect(alerts).toEqual([expect.stringContaining('database was rolled back')]);

  const fresh = createProduct();
  await fresh.follow(other);
  const balance = 21 + 836;
  expect((await operator.get(`/accounts/${accountId}/credits`)).json['available']).toBe(balance);
  for (const each of [one, two, behind]) {
    expect(each.restoredTo).toHaveLength(1);
    expect([...each.books].sort()).toEqual([...fresh.books].sort());
    expect([...each.events].sort()).toEqual([...fresh.events].sort());
    expect(sums(each).get(accountId)).toBe(balance);
  }
  // The entries with the numbers of the lost ones have other ids.
  const again = [...fresh.books].filter(([id]) => lost.includes(id));
  expect(again.map(([, { entry }]) => entry.number)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(fresh.restoredTo).toEqual([]);
});

test('an operator reports a restore of the database once, and a second report changes nothing', async () => {
  const accountId = await world.addCustomer();
  const product = createProduct();
  const command = await connectMongo({
    uri: world.gateway.uri,
    log: collectLog().log,
    self: { id: 'command', role: 'command' },
  });
  try {
    await product.follow(world.gateway);
    const putBack = await backUp(world.gateway.db);
    await grant(accountId, [21, 22]);
    await product.follow(world.gateway);
    await putBack();
    expect(await command.feed.beginEpoch()).not.toBeNull();
    const counters = await command.collections.feeds.find().toArray();
    expect(await command.feed.beginEpoch()).toBeNull();
    expect(await command.collections.feeds.find().toArray()).toEqual(counters);
    await grant(accountId, [23, 24, 25]);
    await product.follow(world.gateway);
    expect(sums(product).get(accountId)).toBe(72);
    expect(product.restoredTo).toHaveLength(1);
  } finally {
    await command.close();
  }
});

test('a cursor of another list, of the future or of an unknown epoch is refused with the position to read from', async () => {
  const accountId = await world.addCustomer();
  await grant(accountId, [31, 32]);
  const product = createProduct();
  await product.follow(world.gateway);
  const [list, epoch = '', last = ''] = placeOf(product.cursor());
  expect(list).toBe('ledger');
  const read = (after: string) => operator.get(`/ledger?after=${after}`);
  const refused = async (after: string) => {
    const response = await read(after);
    const { restored } = response.json['error'] as {
      restored?: { after: string; position: number };
    };
    return { ...errorOf(response), restored };
  };
  const future = await refused(formatCursor('ledger', `${epoch} ${Number(last) + 1_000_000}`));
  expect(future).toMatchObject({ status: 409, code: 'feed_restored', param: 'after' });
  expect(future.restored?.position).toBeGreaterThanOrEqual(Number(last));
  expect((await read(future.restored?.after ?? '')).json['data']).toEqual([]);
  const unknown = await refused(formatCursor('ledger', `000000000000 ${last}`));
  expect(unknown).toMatchObject({ status: 409, restored: { position: 0 } });
  expect((await read(unknown.restored?.after ?? '')).json['data']).not.toEqual([]);
  for (const wrong of [
    formatCursor('events', `${epoch} ${last}`),
    formatCursor('ledger', last),
    formatCursor('ledger', `${epoch} 0`),
  ]) {
    expect(await refused(wrong)).toMatchObject({ status: 400, code: 'cursor_invalid' });
  }
});

test('the ledger of one account is read again from the start where a restore took the entry of the cursor', async () => {
  const accountId = await world.addCustomer();
  const path = `/accounts/${accountId}/ledger`;
  await grant(accountId, [41]);
  const putBack = await backUp(world.gateway.db);
  await grant(accountId, [42]);
  const { next } = (await operator.get(path)).json;
  await putBack();
  await grant(accountId, [43, 44]);
  const response = await operator.get(`${path}?after=${String(next)}`);
  expect(errorOf(response)).toMatchObject({ status: 409, code: 'feed_restored' });
  const { restored } = response.json['error'] as { restored: { after: string } };
  const again = (await operator.get(`${path}?after=${restored.after}`)).json;
  expect((again['data'] as { amount: number }[]).map(({ amount }) => amount)).toEqual([41, 43, 44]);
});

test('a process that starts after the restore learns the earlier position from the media store', async () => {
  const accountId = await world.addCustomer();
  const product = createProduct();
  await grant(accountId, [51]);
  await product.follow(world.gateway);
  const putBack = await backUp(world.gateway.db);
  await grant(accountId, [52, 53]);
  await product.follow(world.gateway);
  const folder = join(world.gateway.dataDir, 'media', 'feeds');
  const [, , last = ''] = placeOf(product.cursor());
  await until(async () => {
    const names = await readdir(folder).catch(() => []);
    // A file that is being replaced may be gone by now.
    const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '');
    const texts = await Promise.all(names.map(read));
    return texts.some((text) => text.includes(`"position":${last}}`));
  });
  await putBack();
  await grant(accountId, [54, 55, 56]);

  const started = await startProcess();
  try {
    await product.follow(started);
    expect(product.restoredTo).toHaveLength(1);
    expect(sums(product).get(accountId)).toBe(51 + 165);
    expect(started.errors).toEqual([expect.stringContaining('database was rolled back')]);
  } finally {
    await started.stop();
  }
});
