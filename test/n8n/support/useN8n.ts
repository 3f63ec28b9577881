import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import type { Execution } from './n8nApi.ts';
import { type N8nWorld, prepareN8nWorld } from './n8nWorld.ts';

/**
 * Runs real n8n for the tests of a file; line and provider are undisturbed again after each.
 * @param more Further credentials, once there is a gateway.
 * @param afterStart Prepares n8n further.
 */
export function useN8n(
  workflows: Parameters<typeof prepareN8nWorld>[0],
  more?: Parameters<typeof prepareN8nWorld>[1],
  afterStart: (world: N8nWorld) => Promise<void> = async () => undefined,
): () => N8nWorld {
  let world: N8nWorld;
  beforeAll(async () => {
    world = await prepareN8nWorld(workflows, more);
    await world.start();
    await afterStart(world);
  }, 900_000);
  afterEach(() => {
    world.framegate.line.reset();
    world.framegate.ark.reset();
  });
  afterAll(() => world.stop(), minuteMs);
  return () => world;
}

/** The bytes at a URL from a node's output. */
export async function bytesOf(url: unknown): Promise<Buffer> {
  return Buffer.from(await (await fetch(String(url))).arrayBuffer());
}

/** The items of a node's last run. */
export const items = (execution: Execution, node = 'Framegate') =>
  execution.runs[node]?.at(-1)?.data?.['main']?.[0] ?? [];
