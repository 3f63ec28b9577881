import { afterEach, beforeEach } from 'node:test';
import type { Item } from './builtNode.mts';
import { startFakeApi, type FakeApi } from './fakeApi.mts';
import { runNode, type RunOptions } from './runNode.mts';

/** A stand-in of the API, and the node with a credential for it. */
export interface FakeWorld {
  api: FakeApi;
  run(params: RunOptions['params'], more?: Partial<RunOptions>): Promise<Item[]>;
}

/** Starts a stand-in for each test of a file. */
export function useFakeApi(): FakeWorld {
  const world = {
    run: (params, more) => runNode({ ...world.api, params, ...more }),
  } as FakeWorld;
  beforeEach(async () => {
    world.api = await startFakeApi();
  });
  afterEach(() => world.api.close());
  return world;
}

/** The value of a field for a model or a generation. */
export const located = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** Parameters of Video: Create. */
export function video(more: Record<string, unknown> = {}): Record<string, unknown> {
  const prompt = 'A paper boat drifts down a rainy street';
  return { resource: 'video', operation: 'create', model: located('alpha-2.5'), prompt, ...more };
}
