import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../../test/faults/chance.ts';
import type { FaultAccount } from '../../test/faults/faultWorld.ts';
import { clipOrder, type Order } from '../../test/faults/orders.ts';
import {
  type ClientAttempt,
  createPatiently,
  type History,
} from '../../test/faults/patientClient.ts';
import { image, video } from '../../test/support/bodies.ts';

/** Customers' actions and their view. */
export interface Customers {
  histories: History[];
  attempts: ClientAttempt[];
  /** Sends no more requests; resolves when every create request has been accepted. */
  stop(): Promise<void>;
}

/** The provider needs this time, in ms, for one image in this number: longer than most of our limits. */
const imagesPerLong = 12;
const longImageMs = 50_000;
const shortImageMs = 300;

/** Creates at a steady rate, each by a client that repeats it until it is accepted. */
export function startCustomers(options: {
  origins: () => readonly string[];
  chance: Chance;
  /** Creates per second of each part, and the accounts they are spread over. */
  parts: readonly { perSecond: number; accounts: readonly FaultAccount[] }[];
}): Customers {
  const { origins, chance, parts } = options;
  const attempts: ClientAttempt[] = [];
  const histories: History[] = [];
  const pendingCreates = new Set<Promise<void>>();
  let isOver = false;
  let orders = 0;
  const ask = (accounts: readonly FaultAccount[]) => {
    const heard = (attempt: ClientAttempt) => void attempts.push(attempt);
    const order = newOrder(chance, (orders += 1));
    const accepted = createPatiently(origins, chance.pick(accounts), order, { heard }).then(
      (history) => {
        histories.push(history);
        pendingCreates.delete(accepted);
      },
    );
    pendingCreates.add(accepted);
  };
  const paced = parts.map(async ({ perSecond, accounts }) => {
    const startedAt = performance.now();
    for (let sent = 0; !isOver; sent += 1) {
      await pause(Math.max(0, startedAt + (sent * 1000) / perSecond - performance.now()));
      ask(accounts);
    }
  });
  return {
    histories,
    attempts,
    async stop() {
      isOver = true;
      await Promise.all(paced);
      await Promise.all(pendingCreates);
    },
  };
}

function newOrder(chance: Chance, number: number): Order {
  const kind = chance.pick(['steady', 'silenced', 'image'] as const);
  const prompt = `order ${number}.`;
  if (kind === 'silenced') return clipOrder(prompt);
  if (kind === 'steady') {
    const parameters = { duration_seconds: 4, resolution: '480p' };
    const body = video({ model: 'alpha-2.0-fast', prompt, parameters });
    return { ...clipOrder(prompt), body, credits: 20 };
  }
  const takesMs = chance.below(imagesPerLong) === 0 ? longImageMs : shortImageMs;
  const marked = `${prompt} [takes ${takesMs} ms]`;
  const body = image({ model: 'image-a-2', prompt: marked, parameters: { n: 1 } });
  return { kind: 'image', path: '/v1/images', prompt: marked, body, credits: 8, files: 1 };
}
