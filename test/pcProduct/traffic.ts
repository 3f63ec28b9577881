import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until.ts';
import type { ProductWorld } from './productWorld.ts';
import { createShopper, type Order, type Shopper } from './shopper.ts';

/** Customers' requests while processes die. */
export interface Traffic {
  orders: readonly Order[];
  shoppers: readonly Shopper[];
  /** Paths of the gateway's pages that customers opened from the product, and the account shown there. */
  handedOver: readonly { email: string; path: string; account: string }[];
  /** Waits until this many more videos were accepted. */
  goesOn(orders: number): Promise<void>;
  /** Ends after each customer's current round. */
  stop(): Promise<void>;
}

const videosInRound = 3;
/** Interval at which customers check for finished videos. */
const reloadMs = 1_000;
/** A prompt that the video provider fails. */
export const failing = 'that fails';
const failsOneIn = 5;

/** Customers who buy credits and make videos, round by round, each waiting for its videos. */
export function startTraffic(world: ProductWorld, customers: number): Traffic {
  const orders: Order[] = [];
  const handedOver: { email: string; path: string; account: string }[] = [];
  const accepted = () => orders.filter(({ outcome }) => outcome === 'accepted').length;
  let made = 0;
  let isOver = false;
  let failure: unknown;

  async function round(shopper: Shopper, pack: string): Promise<void> {
    await shopper.buy(pack);
    for (let count = 0; count < videosInRound; count += 1) {
      made += 1;
      const prompt = `order ${made}.${made % failsOneIn === 0 ? ` ${failing}` : ''}`;
      orders.push(await shopper.order(prompt, made % 4 === 0 ? 2 : 1));
    }
    world.payments.refundLate();
    while (/<td>(queued|processing)/.test(await shopper.page())) await pause(reloadMs);
  }

  async function shop(shopper: Shopper, number: number): Promise<void> {
    await shopper.signIn();
    // Customers who buy little have spent most of it when a payment is refunded.
    while (!isOver) await round(shopper, number % 3 === 0 ? '200' : '50');
    handedOver.push({ email: shopper.email, ...(await shopper.openSettings()) });
  }

  const shoppers = Array.from({ length: customers }, (_, number) =>
    createShopper(world, `customer${number}@customers.example`),
  );
  const all = Promise.all(shoppers.map(shop));
  all.catch((error: unknown) => (failure = error));
  return {
    orders,
    shoppers,
    handedOver,
    async goesOn(more) {
      const goal = accepted() + more;
      await until(() => accepted() >= goal || failure !== undefined, 'the traffic goes on');
      if (failure !== undefined) await all;
    },
    async stop() {
      isOver = true;
      await all;
    },
  };
}
