import { afterAll, beforeAll } from '@jest/globals';
import { takeTestDatabase } from '../support/database.ts';
import { type FaultWorld, openFaultWorld } from './faultWorld.ts';

/** Opens a world on a separate database for the tests of a file. */
export function useFaultWorld(
  options: Omit<Parameters<typeof openFaultWorld>[0], 'uri'> = {},
): () => FaultWorld {
  const database = takeTestDatabase();
  let world: FaultWorld;
  beforeAll(async () => {
    world = await openFaultWorld({ uri: database.uri, ...options });
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await database.drop();
  }, 120_000);
  return () => world;
}
