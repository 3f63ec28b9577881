import { afterAll, beforeAll, expect } from '@jest/globals';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { type Browser, enrolStaff } from './browse.ts';

/** A gateway on a scripted provider, and staff who are signed in to its console. */
export interface ConsoleWorld extends ArkGateway {
  viewer: Browser;
  support: Browser;
  admin: Browser;
}

/** Runs the gateway for the tests of a file. @param expected Words of the errors that they cause. */
export function useConsole(expected = /unknown outcome/): () => ConsoleWorld {
  const running = useArkGateway({
    provider: { maxConcurrent: 1000, budget: { currency: 'USD', perDay: 1000 } },
    route: { cost: { currency: 'USD', perCall: 0.01 } },
    timings: { upkeepEveryMs: 1_000 },
  });
  let world: ConsoleWorld;
  beforeAll(async () => {
    const { ark, gateway } = running();
    const { browser: viewer } = await enrolStaff(gateway, 'viewer');
    const { browser: support } = await enrolStaff(gateway, 'support');
    const { browser: admin } = await enrolStaff(gateway, 'admin');
    world = { ark, gateway, viewer, support, admin };
  });
  afterAll(() => {
    const { errors } = world.gateway;
    expect(errors.filter((line) => !expected.test(line))).toEqual([]);
  });
  return () => world;
}
