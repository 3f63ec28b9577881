import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { arkRoutes } from '../support/arkRoutes.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { enrolStaff, type Browser } from './browse.ts';

/** A gateway on a scripted provider, and staff who are signed in to its console. */
export interface ConsoleWorld {
  ark: FakeArk;
  gateway: TestGateway;
  support: Browser;
  admin: Browser;
}

/** Runs the gateway for the tests of a file. */
export function useConsole(): () => ConsoleWorld {
  let world: ConsoleWorld;
  let folder: string;
  beforeAll(async () => {
    const ark = await startFakeArk();
    folder = await mkdtemp(join(tmpdir(), 'framegate-staff-'));
    const budget = { currency: 'USD', perDay: 1000 };
    const cost = { currency: 'USD', perCall: 0.01 };
    const provider = { maxConcurrent: 1000, budget };
    const gateway = await startTestGateway(await arkRoutes(folder, ark, provider, { cost }));
    const { browser: support } = await enrolStaff(gateway, 'support');
    const { browser: admin } = await enrolStaff(gateway, 'admin');
    world = { ark, gateway, support, admin };
  });
  afterAll(async () => {
    await world.gateway.stop();
    await world.ark.close();
    await rm(folder, { recursive: true, force: true });
    const { errors } = world.gateway;
    expect(errors.filter((line) => !line.includes('unknown outcome'))).toEqual([]);
  });
  return () => world;
}
