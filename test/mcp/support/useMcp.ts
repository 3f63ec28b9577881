import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { startTestGateway, type TestAccount, type TestGateway } from '../../support/gateway.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';

/** A complete gateway, and the SDK's own client, which validates results against their schemas. */
export interface McpWorld {
  gateway: TestGateway;
  /** An account whose generations wait: nothing is rendered during the tests. */
  account: TestAccount;
  /** Connected with the account's key. */
  mcp: McpClient;
}

/** Sets them up for the tests of a file, in which no error may be logged. */
export function useMcp(): () => McpWorld {
  let world: McpWorld;
  beforeAll(async () => {
    const gateway = await startTestGateway();
    const account = await gateway.addAccount({ limits: { running: 0 } });
    const mcp = await connectMcp({ origin: gateway.origin, apiKey: account.apiKey });
    world = { gateway, account, mcp };
  });
  afterAll(async () => {
    await world.mcp.client.close();
    await world.gateway.stop();
    expect(world.gateway.errors).toEqual([]);
  });
  return () => world;
}

/** A new key for a create request. */
export const key = () => ({ idempotency_key: randomUUID() });
