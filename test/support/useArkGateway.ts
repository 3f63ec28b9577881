import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Timings } from '../../gateway/src/application/generations/timings.ts';
import type { ReachFaultPoint } from '../../gateway/src/application/ports/system.ts';
import { arkRoutes } from './arkRoutes.ts';
import { type FakeArk, startFakeArk } from './fakeArk/fakeArk.ts';
import { startTestGateway, type TestGateway, testTimings } from './gateway.ts';

/** A gateway whose videos all come from a fake ModelArk. */
export interface ArkGateway {
  ark: FakeArk;
  gateway: TestGateway;
}

interface ArkGatewayOptions {
  ark?: Parameters<typeof startFakeArk>[0];
  /** Further fields of the provider in the routes file. */
  provider?: Record<string, unknown>;
  /** Further fields of each route. */
  route?: Record<string, unknown>;
  /** Settings besides the routes. */
  env?: Record<string, string>;
  reachFaultPoint?: ReachFaultPoint;
  /** Shorter than in other tests. */
  timings?: Partial<Timings>;
}

/** Runs both for the tests of a file. */
export function useArkGateway(options: ArkGatewayOptions = {}): () => ArkGateway {
  let running: ArkGateway;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'framegate-ark-'));
    const ark = await startFakeArk(options.ark);
    const routes = await arkRoutes(folder, ark, options.provider, options.route);
    const gateway = await startTestGateway(
      { ...routes, ...options.env },
      options.reachFaultPoint,
      undefined,
      { ...testTimings, ...options.timings },
    );
    running = { ark, gateway };
  });
  afterAll(async () => {
    await running.gateway.stop();
    await running.ark.close();
    await rm(folder, { recursive: true, force: true });
  });
  return () => running;
}
