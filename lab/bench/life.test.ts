import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sum } from '@framegate/contract';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { arkRoutes } from '../../test/support/arkRoutes.ts';
import { video } from '../../test/support/bodies.ts';
import { type FakeArk, startFakeArk } from '../../test/support/fakeArk/fakeArk.ts';
import {
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../../test/support/gateway.ts';
import { profile } from '../../test/support/profile.ts';
import { until } from '../../test/support/until.ts';
import { lifeKeys } from './budgets.ts';

let folder: string;
let ark: FakeArk;
let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-life-'));
  ark = await startFakeArk();
  for (const end of ['succeeded', 'failed'] as const) {
    ark.script({ on: 'task', prompt: end, plan: { polls: 1, end } });
  }
  // Only the generation writes in the meantime.
  const timings = { ...defaultTimings, upkeepEveryMs: 600_000 };
  gateway = await startTestGateway(await arkRoutes(folder, ark), undefined, undefined, timings);
  account = await gateway.addAccount({ credits: 10_000 });
});
afterAll(async () => {
  await gateway.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(['succeeded', 'failed'] as const)(
  'the life of a generation whose provider has %s writes the index keys of its budget',
  async (end) => {
    const { db, collections } = gateway;
    const found = await profile(db, ['generations', 'ledger'], async () => {
      const { json } = await account.post('/v1/videos', video({ prompt: end }));
      await account.untilEnded(String(json['id']));
      await until(
        async () => (await collections.jobs.countDocuments({ name: 'generation.run' })) === 0,
      );
    });
    const keysOf = (name: string) =>
      sum(
        found.filter(({ collection }) => collection === name).map(({ keysWritten }) => keysWritten),
      );
    expect({ generations: keysOf('generations'), ledger: keysOf('ledger') }).toEqual(lifeKeys[end]);
  },
);
