import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type * as storage from '../../docs/examples/pc-product/src/data.ts';
import type * as feeds from '../../docs/examples/pc-product/src/feeds.ts';
import type * as settling from '../../docs/examples/pc-product/src/settle.ts';
import type * as signIn from '../../docs/examples/pc-product/src/signIn.ts';
import { FramegateOperator } from '../../integrations/operator/src/index.ts';
import { backUp } from '../operator/support/backUp.ts';
import { useOperatorWorld } from '../operator/support/operatorWorld.ts';
import { createTestDatabase } from '../support/database.ts';
import { projectRoot } from '../support/runNode.ts';
import { until } from '../support/until.ts';

/* The sample product, whose gateway is restored from a backup. */

const { world, operator: rights } = useOperatorWorld();
const own = createTestDatabase();
const source = (name: string) => join(projectRoot, 'docs/examples/pc-product/src', name);
const client = pathToFileURL(join(projectRoot, 'integrations/operator/src/index.ts')).href;
let product: Awaited<ReturnType<typeof load>>;
let data: storage.Data;

/** The product, whose dependency is this repository's client. */
async function load() {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === '@framegate/operator' ? next(client, context) : next(name, context),
  });
  try {
    const { keepBooks } = (await import(source('feeds.ts'))) as typeof feeds;
    const { settlePayments } = (await import(source('settle.ts'))) as typeof settling;
    const { openAccount } = (await import(source('signIn.ts'))) as typeof signIn;
    const { openData } = (await import(source('data.ts'))) as typeof storage;
    return { keepBooks, settlePayments, openAccount, openData };
  } finally {
    hooks.deregister();
  }
}

beforeAll(async () => {
  product = await load();
  data = await product.openData(own.uri);
});
afterAll(async () => {
  await data.close();
  await own.drop();
});

const connect = () =>
  new FramegateOperator({
    baseUrl: `${world.origin}/operator/v1`,
    operatorKey: rights.operatorKey,
    platform: { sleep: async () => pause(20) },
  });

/** Runs one of the product's tasks until a condition holds. */
async function runUntil(
  work: (data: storage.Data, operator: FramegateOperator, signal: AbortSignal) => Promise<void>,
  isTrue: () => Promise<boolean>,
) {
  const ending = new AbortController();
  const running = work(data, connect(), ending.signal);
  await Promise.race([until(isTrue), running]);
  ending.abort();
  await running;
}

async function addCustomer(id: string) {
  const customer = { _id: id, email: `${id}@customers.example` };
  await data.customers.insertOne(customer);
  await product.openAccount({ data, operator: connect() }, customer);
}

const unsettled = () => data.payments.countDocuments({ grantEntry: { $exists: false } });
const settle = () => runUntil(product.settlePayments, async () => (await unsettled()) === 0);
const follow = (references: readonly string[]) =>
  runUntil(
    product.keepBooks,
    async () =>
      (await data.books.countDocuments({ reference: { $in: [...references] } })) ===
      references.length,
  );

async function pay(id: string, customerId: string, credits: number) {
  await data.payments.insertOne({ _id: id, paid: true, customerId, credits });
}

test('each payment is booked once after the restore, whether it was read, unread or of a lost account', async () => {
  await addCustomer('ada');
  await pay('one', 'ada', 1);
  await settle();
  await follow(['payment-one']);
  const putBack = await backUp(world.gateway.db);
  await pay('two', 'ada', 20);
  await addCustomer('bob');
  await pay('three', 'bob', 300);
  await settle();
  await follow(['payment-two', 'payment-three']);
  await pay('four', 'ada', 4_000);
  await settle();

  await putBack();
  await runUntil(product.keepBooks, async () => (await unsettled()) === 3);
  await settle();
  await follow(['payment-one', 'payment-two', 'payment-three', 'payment-four']);
  const amounts = (await data.books.find().toArray()).map(({ amount }) => amount);
  expect(amounts.sort((a, b) => a - b)).toEqual([1, 20, 300, 4_000]);
  const balances = await Promise.all(
    (await data.customers.find().sort({ _id: 1 }).toArray()).map(
      async ({ accountId = '' }) => (await connect().getCredits(accountId)).available,
    ),
  );
  expect(balances).toEqual([4_021, 300]);
  const alerts = world.gateway.errors.splice(0);
  expect(alerts).toEqual([expect.stringContaining('database was rolled back')]);
});
