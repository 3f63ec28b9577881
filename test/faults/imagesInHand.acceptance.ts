import { describe, expect, test } from '@jest/globals';
import { image } from '../support/bodies.ts';
import { until } from '../support/until.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import type { FaultWorld } from './faultWorld.ts';
import { holdMediaChildren } from './mediaChildren.ts';
import type { Order } from './orders.ts';
import { createPatiently } from './patientClient.ts';
import type { GatewayProcess } from './startGatewayProcess.ts';
import { useFaultWorld } from './useFaultWorld.ts';

const orders = 40;
const opened = useFaultWorld({
  routes: ({ images }) => ({
    providers: {
      images: {
        kind: 'ai-sdk',
        package: '@ai-sdk/openai',
        factory: 'createOpenAI',
        apiKeyEnv: 'IMAGES_API_KEY',
        allowPrivateNetwork: true,
        maxConcurrent: 100,
        rewriteOrigins: { 'https://api.openai.com': images.origin },
      },
    },
    models: { 'image-a-2': [{ provider: 'images', model: 'gpt-image-1' }] },
  }),
});

function orderOf(name: string): Order {
  // The provider reads the number of files there.
  const prompt = `${name} n1`;
  const body = image({ model: 'image-a-2', prompt, parameters: { n: 1 } });
  return { kind: 'image', path: '/v1/images', prompt, body, credits: 8, files: 1 };
}

/** Ends a worker while forty images wait for cleaning, and lets another one continue. */
async function endWith(
  name: string,
  end: (worker: GatewayProcess, world: FaultWorld) => Promise<void>,
): Promise<{ arrived: number; completed: number; wrong: string[] }> {
  const world = opened();
  const api = await world.start({ ROLE: 'api' });
  const worker = await world.start({ ROLE: 'worker', STOP_GRACE_SECONDS: '5' });
  let other: GatewayProcess | null = null;
  const letGo = holdMediaChildren(worker.pid);
  try {
    const account = await world.addAccount(10_000);
    const names = Array.from({ length: orders }, (_, index) => `${name} ${index}`);
    const histories = await Promise.all(
      names.map((each) => createPatiently(() => [api.origin], account, orderOf(each))),
    );
    const arrived = () =>
      world.images
        .calls()
        .filter(({ prompt, answeredAt }) => prompt.startsWith(name) && answeredAt !== null).length;
    await until(() => arrived() === orders, 'the provider has answered all');
    await end(worker, world);
    await worker.ended;
    other = await world.start({ ROLE: 'worker' });
    await untilAllEnded(world, 150_000);
    const { generations } = world.mongo.collections;
    const { accountId } = account;
    const completed = await generations.countDocuments({ accountId, status: 'completed' });
    return {
      arrived: arrived(),
      completed,
      wrong: await checkWorld(world, api.origin, histories),
    };
  } finally {
    letGo();
    await Promise.all([api.stop(), worker.stop(), other?.stop()]);
  }
}

describe('images that a worker has, and has not cleaned', () => {
  test('are delivered by another one after SIGTERM with a grace of 5 s', async () => {
    const report = await endWith('stopped', (worker) => worker.stop());
    expect(report).toEqual({ arrived: orders, completed: orders, wrong: [] });
  });

  test('are delivered by another one after kill -9', async () => {
    const report = await endWith('killed', async (worker, { mongo }) => {
      const kept = { open: true, prompt: /^killed/, 'attempts.arrived': { $exists: true } };
      await until(
        async () => (await mongo.collections.generations.countDocuments(kept)) === orders,
        'all images are kept',
      );
      worker.signal('SIGKILL');
    });
    expect(report).toEqual({ arrived: orders, completed: orders, wrong: [] });
  });
});
