import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type HttpOptions, sendAsN8n } from '../../integrations/n8n/test/support/sendAsN8n.mts';

/** An error as n8n's library keeps it: here all of it, so that a test sees everything that the node hands over. */
class Told extends Error {
  readonly handedOver: unknown[];
  readonly context: Record<string, unknown> = {};

  constructor(_node: unknown, ...handedOver: unknown[]) {
    super('the node failed');
    this.handedOver = handedOver;
  }
}

// Stand-ins for the node's imports of n8n's library: test/support/jest/resolveModules.ts leads
// `n8n-workflow` here.
export const NodeConnectionTypes = { Main: 'main' };
export class NodeApiError extends Told {}
export class NodeOperationError extends Told {}
export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** n8n around one run of the node with these parameters, over real HTTP. */
export function n8nContext(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  parameters: Record<string, unknown>,
): object {
  const authorization = `Bearer ${apiKey}`;
  return {
    getNode: () => ({ name: 'Framegate' }),
    logger: { info: () => undefined },
    getCredentials: async () => ({ baseUrl, apiKey }),
    getInputData: () => [{ json: {} }],
    getExecutionId: () => 'execution-1',
    getInstanceId: () => 'instance-1',
    getWorkflow: () => ({ id: 'workflow-1' }),
    getExecutionCancelSignal: () => undefined,
    continueOnFail: () => false,
    evaluateExpression: () => 0,
    getNodeParameter: (name: string, _item: number, fallback?: unknown) =>
      parameters[name] ?? fallback,
    helpers: {
      httpRequest: sendAsN8n,
      httpRequestWithAuthentication: (_credential: string, options: HttpOptions) =>
        sendAsN8n({ ...options, headers: { ...options.headers, authorization } }),
      async prepareBinaryData(body: Readable, fileName: string, mimeType: string) {
        const bytes = await buffer(body);
        return { data: bytes.toString('latin1'), fileName, mimeType, bytes: bytes.length };
      },
    },
  };
}
