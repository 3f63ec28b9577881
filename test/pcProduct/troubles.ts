import { openFailPoint } from '../faults/failPoint.ts';
import { until } from '../support/until.ts';
import type { Part, ProductWorld } from './productWorld.ts';
import type { Traffic } from './traffic.ts';

/** Requests of the product, by their purpose. */
const requests = {
  'a grant': { method: 'POST', path: '/credits/grants' },
  'an adjustment': { method: 'POST', path: '/credits/adjustments' },
  'a video': { method: 'POST', path: '/videos' },
  'a page of the ledger': { method: 'GET', path: '/operator/v1/ledger' },
  'a page of events': { method: 'GET', path: '/operator/v1/events' },
} as const;

/** An error code that the driver does not retry, and its message. */
const badValue = 2;
const complaint = "Failing command via 'failCommand'";

type Asked = keyof typeof requests;

/** Kills every process in turn while the traffic runs, the product at each of its requests, and rolls all of them. */
export async function playTroubles(
  world: ProductWorld,
  traffic: Traffic,
  note: (line: string) => void,
): Promise<void> {
  const { generations } = world.gateway.mongo.collections;
  for (const asked of Object.keys(requests) as Asked[]) {
    await killAfter(world, 'product', asked);
    note(`product killed before it had the response to ${asked}`);
    await traffic.goesOn(3);
  }
  for (const collection of ['books', 'notices', 'payments'] as const) {
    await killUnableToWrite(world, collection);
    note(`product killed while it could not write to ${collection}`);
    await traffic.goesOn(3);
  }
  for (const asked of ['a grant', 'a video'] as const) {
    await killAfter(world, 'api', asked);
    note(`api killed before it had answered ${asked}`);
    await traffic.goesOn(3);
  }
  for (let count = 0; count < 2; count += 1) {
    await until(async () => (await generations.countDocuments({ status: 'processing' })) > 0);
    await world.kill('worker');
    note('worker killed while videos were made');
    await traffic.goesOn(3);
  }
  for (const part of ['api', 'api', 'worker', 'worker', 'product'] as const) {
    const end = await world.roll(part);
    if (end !== '0') throw new Error(`a ${part} that was told to stop ended with ${end}`);
    note(`${part} rolled`);
    await traffic.goesOn(2);
  }
}

/** Kills a process when the gateway has done the next such request and the product does not know it. */
function killAfter(world: ProductWorld, part: Part, asked: Asked): Promise<void> {
  return new Promise((resolve, reject) => {
    world.line.disturb({
      ...requests[asked],
      cutAfter: 0,
      async heldUntil() {
        const [victim] = world.alive(part);
        world.kill(part).then(resolve, reject);
        await victim?.ended;
      },
    });
  });
}

/** Makes all writes of the product to a collection fail, then kills it. */
async function killUnableToWrite(world: ProductWorld, collection: string): Promise<void> {
  const name = new URL(world.productUri).pathname.slice(1);
  const failPoint = await openFailPoint(world.productUri);
  try {
    const [product] = world.alive('product');
    const fault = {
      failCommands: ['update'],
      namespace: `${name}.${collection}`,
      errorCode: badValue,
    };
    await failPoint.set(fault, 'always');
    await until(
      () => product?.log().includes(complaint) === true,
      `it cannot write to ${collection}`,
    );
    await world.kill('product');
  } finally {
    await failPoint.close();
  }
}
