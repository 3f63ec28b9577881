import { beforeAll, expect, test } from '@jest/globals';
import {
  Framegate,
  GenerationFailedError,
} from '../../../integrations/typescript/src/node/index.ts';
import { type FaultWorld, quickTimings } from '../../faults/faultWorld.ts';
import type { GatewayProcess } from '../../faults/startGatewayProcess.ts';
import { useFaultWorld } from '../../faults/useFaultWorld.ts';
import { hurriedPlatform } from './hurriedPlatform.ts';

/* The client against two API processes and two workers, while one of each is killed. */

const opened = useFaultWorld({ timings: quickTimings });
let world: FaultWorld;
let apis: GatewayProcess[];
let workers: GatewayProcess[];

beforeAll(async () => {
  world = opened();
  const start = (ROLE: string) => Promise.all([world.start({ ROLE }), world.start({ ROLE })]);
  [apis, workers] = [await start('api'), await start('worker')];
});

const ordersAtOnce = 12;
const credits = 50;
const granted = 100_000;

test('every order is made, downloaded and charged once', async () => {
  const { apiKey } = await world.addAccount(granted);
  /** Each has its own clock, because it counts the waits of one caller. */
  const connect = (first = 0) => {
    let sent = first;
    /** Round robin, like a load balancer that has not yet noticed the loss of one. */
    const fetch = (url: string, init: RequestInit) => {
      const { origin } = apis[(sent += 1) % apis.length] ?? {};
      return globalThis.fetch(url.replace('http://127.0.0.1:1', origin ?? ''), init);
    };
    const platform = { ...hurriedPlatform(), fetch };
    return new Framegate({ baseUrl: 'http://127.0.0.1:1/v1', apiKey, platform });
  };
  // One dies right after it has accepted a generation, before it can answer.
  apis[0]?.command({ arm: { point: 'create.beforeResponse', times: 3, signal: 'SIGKILL' } });
  workers[0]?.command({ arm: { point: 'submit.afterProvider', times: 1, signal: 'SIGKILL' } });
  /** Null if the worker died while placing the order at the provider: refunded, because its outcome is unknown. */
  const order = (number: number) =>
    connect(number)
      .videos.createAndWait(
        {
          model: 'alpha-2.0-fast',
          mode: 'text-to-video',
          prompt: `A paper boat, number ${number}`,
        },
        { idempotencyKey: `order-${number}`, timeoutMs: Infinity },
      )
      .catch((error: unknown) => {
        if (error instanceof GenerationFailedError && error.refunded) return null;
        throw error;
      });
  const killed = Promise.all([apis[0]?.ended, workers[0]?.ended]);
  const state = { areKilled: false };
  void killed.then(() => (state.areKilled = true));
  const ended: Awaited<ReturnType<typeof order>>[] = [];
  // The other worker may have submitted all of them: then create more.
  do {
    const numbers = Array.from({ length: ordersAtOnce }, (_, index) => ended.length + index);
    ended.push(...(await Promise.all(numbers.map(order))));
  } while (!state.areKilled);
  expect(await killed).toEqual(['SIGKILL', 'SIGKILL']);
  const videos = ended.filter((video) => video !== null);
  expect(videos.length).toBeGreaterThanOrEqual(ended.length - ordersAtOnce);
  expect(new Set(videos.map(({ id }) => id)).size).toBe(videos.length);
  const balance = await connect().credits.balance();
  expect(balance).toMatchObject({ available: granted - videos.length * credits, in_flight: 0 });
  const sizes = await Promise.all(
    videos.map(async (video) => {
      const nowhere = new WritableStream<Uint8Array>();
      return (await video.download(nowhere)).bytes;
    }),
  );
  expect(Math.min(...sizes)).toBeGreaterThan(1000);
});
