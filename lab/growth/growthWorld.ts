import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultTimings, type Timings } from '../../gateway/src/application/generations/timings.ts';
import { openStaff } from '../../test/staff/openStaff.ts';
import { arkRoutes } from '../../test/support/arkRoutes.ts';
import { video } from '../../test/support/bodies.ts';
import { startFakeArk } from '../../test/support/fakeArk/fakeArk.ts';
import { startTestGateway, type TestGateway } from '../../test/support/gateway.ts';
import { fillHistory, type History, type HistorySize } from './fillHistory.ts';
import { type HotPath, hotPaths } from './hotPaths.ts';

/** A gateway with a history, and its recurring work. */
export interface GrowthWorld {
  gateway: TestGateway;
  history: History;
  paths: HotPath[];
  stop(): Promise<void>;
}

/** Starts a gateway on a fake provider and fills its database. */
export async function openGrowthWorld(
  size: HistorySize,
  timings: Partial<Timings> = {},
): Promise<GrowthWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-growth-'));
  const ark = await startFakeArk();
  ark.script({ on: 'task', prompt: 'fails', plan: { polls: 1, end: 'failed' } });
  const gateway = await startTestGateway(
    await arkRoutes(folder, ark, { maxConcurrent: 1000 }),
    undefined,
    undefined,
    { ...defaultTimings, ...timings },
  );
  const customer = await gateway.addAccount({ credits: 100_000 });
  const create = async (prompt: string) => {
    const { json } = await customer.post('/v1/videos', video({ prompt }));
    return String((await customer.untilEnded(String(json['id'])))['id']);
  };
  const templates = {
    account: customer,
    completedId: await create('completes'),
    failedId: await create('fails'),
  };
  const history = await fillHistory(gateway, templates, size);
  const staff = await openStaff(gateway);
  return {
    gateway,
    history,
    paths: hotPaths(gateway, { staff: staff.staff, customer, history }),
    async stop() {
      await staff.close();
      await gateway.stop();
      await ark.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
