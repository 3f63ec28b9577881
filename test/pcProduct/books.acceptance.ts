import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { minuteMs } from '@framegate/contract';
import { createChance } from '../faults/chance.ts';
import { untilAllEnded } from '../faults/checkWorld.ts';
import { until } from '../support/until.ts';
import { compareBooks } from './compareBooks.ts';
import { openProductWorld, type ProductWorld } from './productWorld.ts';
import { failing, startTraffic } from './traffic.ts';
import { playTroubles } from './troubles.ts';

const seed = 20_261_125;
const customers = 6;
test('the books of the product equal the ledger while every process is killed and rolled', async () => {
  const startedAt = performance.now();
  const note = (line: string) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    process.stdout.write(`${seconds.padStart(4)} s  ${line}\n`);
  };
  const world = await openProductWorld(createChance(seed));
  try {
    const { ark } = world.gateway;
    ark.script(
      { on: 'task', prompt: failing, plan: { polls: 0, afterMs: 500, end: 'failed' } },
      { on: 'task', plan: { polls: 0, afterMs: 1_500, end: 'succeeded' } },
    );
    note('all processes run');
    const traffic = startTraffic(world, customers);
    await playTroubles(world, traffic, note);
    await traffic.stop();
    note('the traffic is over');
    world.payments.refundLate();
    await world.payments.delivered();
    await untilAllEnded(world.gateway, minuteMs);
    await untilBooksAreClosed(world);

    const { wrong, figures } = await compareBooks(world, traffic);
    expect(wrong).toEqual([]);
    const statement = await world.statement();
    expect({ ...statement, stdout: JSON.parse(statement.stdout) as object }).toMatchObject({
      status: 0,
      stdout: { grant: figures.granted, problems: [] },
    });
    const verified = await world.admin('ledger', 'verify');
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    expect(traffic.handedOver).toHaveLength(customers);
    for (const { email, path, account } of traffic.handedOver) {
      expect([path, account.includes(email)]).toEqual(['/settings/public-api', true]);
    }
    expect(figures.refunded).toBeGreaterThan(0);
    expect(figures.takenBack).toBeGreaterThan(0);
    expect(figures.lost).toBeGreaterThan(0);
    const { payments } = world;
    note(
      `payments ${payments.paid().length}, events delivered ${payments.deliveries()}, ` +
        `kills ${world.kills()}, videos ${traffic.orders.length}, credits granted ${figures.granted}, ` +
        `charged ${figures.charged}, refunded ${figures.refunded}, ` +
        `taken back ${figures.takenBack}, spent before ${figures.lost}, difference ${figures.difference}`,
    );
  } finally {
    await world.close();
  }
});

/** Waits until every payment is settled, and the product has read all of the ledger and the events. */
async function untilBooksAreClosed({ gateway, productUri }: ProductWorld): Promise<void> {
  const { ledger, generations } = gateway.mongo.collections;
  const client = new MongoClient(productUri);
  const own = client.db();
  const unsettled = {
    $or: [
      { grantEntry: { $exists: false } },
      { $or: [{ refunded: true }, { disputed: true }], taken: { $exists: false } },
    ],
  };
  try {
    await until(
      async () => (await own.collection('payments').countDocuments(unsettled)) === 0,
      'all payments are settled',
    );
    const entries = await ledger.countDocuments({});
    await until(
      async () => (await own.collection('books').countDocuments()) >= entries,
      'the books have the whole ledger',
    );
    const ended = await generations.countDocuments({});
    await until(
      async () => (await own.collection('notices').countDocuments()) >= ended,
      'there is a notice of each end',
    );
  } finally {
    await client.close();
  }
}
