import type { TestAccount } from '../../support/gateway.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { type Installation, installPacked } from './packed.ts';

/** World of the packed client's tests. */
export interface PackedWorld {
  world: ClientWorld;
  /** An account with plenty of credits. */
  account: TestAccount;
  installed: Installation;
  /** Environment with the credentials for the command line. */
  env: Record<string, string>;
}

/** Starts a gateway with an account, and installs the package in the world's folder. */
export async function startPackedWorld(): Promise<PackedWorld> {
  const world = await startClientWorld();
  const account = await world.addAccount({ credits: 10_000 });
  const installed = await installPacked(world.folder);
  const env = { FRAMEGATE_URL: world.baseUrl, FRAMEGATE_KEY: account.apiKey };
  return { world, account, installed, env };
}
