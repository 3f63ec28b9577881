import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { video } from '../support/bodies.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { openFaultWorld, quickTimings, type FaultWorld } from './faultWorld.ts';
import { createPatiently } from './patientClient.ts';
import { startReplicaSet, type TestReplicaSet } from './startReplicaSet.ts';

let replicas: TestReplicaSet;
let world: FaultWorld;
beforeAll(async () => {
  replicas = await startReplicaSet(1, 'faults');
  world = await openFaultWorld({ uri: replicas.uri, timings: quickTimings });
}, 120_000);
afterAll(async () => {
  replicas.thaw(0);
  await world.close();
  await replicas.stop();
}, 120_000);

test('a database that stops answering gives 503 in time, and everything goes on when it answers', async () => {
  const gateway = await world.start();
  const account = await world.addAccount(1_000);
  const before = await createPatiently(() => [gateway.origin], account, 'before.');
  replicas.freeze(0);
  const during = createPatiently(() => [gateway.origin], account, 'during.');
  const send = async (path: string, body?: object) => {
    const response = await fetch(gateway.origin + path, {
      headers: {
        authorization: `Bearer ${account.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'frozen-0123456789abcdef',
      },
      // Clients give up after half a minute.
      signal: AbortSignal.timeout(30_000),
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const { error } = (await response.json()) as { error?: { code: string } };
    return [response.status, error?.code, response.headers.has('retry-after')];
  };
  const answers = await Promise.all([
    send(`/v1/generations/${before.generationId}`),
    send('/v1/credits/balance'),
    send('/v1/videos', video({ prompt: 'frozen' })),
  ]);
  expect(answers).toEqual(answers.map(() => [503, 'service_unavailable', true]));
  replicas.thaw(0);
  const asked = [before, await during];
  await untilAllEnded(world, 60_000);
  expect(await checkWorld(world, gateway.origin, asked)).toEqual([]);
}, 120_000);
