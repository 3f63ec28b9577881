import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { image, video } from '../support/bodies.ts';
import { until } from '../support/until.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { type FaultWorld, openFaultWorld, quickTimings } from './faultWorld.ts';
import { createPatiently } from './patientClient.ts';
import { startReplicaSet, type TestReplicaSet } from './startReplicaSet.ts';

let replicas: TestReplicaSet;
let world: FaultWorld;
beforeAll(async () => {
  replicas = await startReplicaSet(1, 'faults');
  world = await openFaultWorld({ uri: replicas.uri, timings: quickTimings });
});
afterAll(async () => {
  replicas.thaw(0);
  await world.close();
  await replicas.stop();
});

test('a silent database gives 503 in time, and work resumes when it answers', async () => {
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
  const responses = await Promise.all([
    send(`/v1/generations/${before.generationId}`),
    send('/v1/credits/balance'),
    send('/v1/videos', video({ prompt: 'frozen' })),
  ]);
  expect(responses).toEqual(responses.map(() => [503, 'service_unavailable', true]));
  replicas.thaw(0);
  const asked = [before, await during];
  await untilAllEnded(world, minuteMs);
  expect(await checkWorld(world, gateway.origin, asked)).toEqual([]);
  await gateway.stop();
});

test('a paid call that outlasts an outage of the database is delivered, although its lease has expired', async () => {
  const api = await world.start({ ROLE: 'api' });
  const workers = await Promise.all([1, 2].map(() => world.start({ ROLE: 'worker' })));
  const account = await world.addAccount(1_000);
  const response = await fetch(`${api.origin}/v1/images`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'outage-0123456789abcdef',
    },
    body: JSON.stringify(image({ model: 'image-a-2', prompt: 'outage [takes 12000 ms]' })),
  });
  const { id } = (await response.json()) as { id: string };
  const { generations } = world.mongo.collections;
  const given = async () => {
    const found = await generations.findOne({ _id: id });
    const timeline = (found?.['timeline'] ?? []) as { what: string; process?: string }[];
    return timeline.find(({ what }) => what.startsWith('submitted to'))?.process;
  };
  await until(async () => (await given()) !== undefined, 'a worker calls the provider');
  const processId = Number((await given())?.split(' ').at(-1));
  const holder = workers.find(({ pid }) => pid === processId);
  if (!holder) throw new Error(`no worker is process ${processId}`);
  // Longer than the lease and than the permitted gap between heartbeats of a process.
  replicas.freeze(0);
  await pause(7_000);
  // The other worker gets the database's response before the holder does.
  holder.signal('SIGSTOP');
  replicas.thaw(0);
  await pause(2_000);
  holder.signal('SIGCONT');
  await untilAllEnded(world, minuteMs);
  expect(await generations.findOne({ _id: id })).toMatchObject({ status: 'completed' });
});
