import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** What n8n's library keeps of an error: here all of it, so that whatever the node hands over is seen. */
class Told extends Error {
  readonly handedOver: unknown[];

  constructor(_node: unknown, ...handedOver: unknown[]) {
    super('the node failed');
    this.handedOver = handedOver;
  }
}

/** What the node imports of n8n's library, in place of it. */
export const n8nWorkflow = {
  NodeConnectionTypes: { Main: 'main' },
  NodeApiError: class extends Told {},
  NodeOperationError: class extends Told {},
  sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
};

interface HttpOptions {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  encoding?: string;
}

/** n8n around one run of the node with these parameters, over real HTTP. */
export function n8nContext(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  parameters: Record<string, unknown>,
): object {
  const authorization = `Bearer ${apiKey}`;
  return {
    getNode: () => ({ name: 'Framegate' }),
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
      httpRequest: send,
      httpRequestWithAuthentication: (_credential: string, options: HttpOptions) =>
        send({ ...options, headers: { ...options.headers, authorization } }),
      async prepareBinaryData(body: Readable, fileName: string, mimeType: string) {
        const bytes = await buffer(body);
        return { data: bytes.toString('latin1'), fileName, mimeType, bytes: bytes.length };
      },
    },
  };
}

async function send({ method = 'GET', url, headers, body, encoding }: HttpOptions) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = { statusCode: response.status, headers: Object.fromEntries(response.headers) };
  if (encoding === 'stream') return { ...answer, body: Readable.from(response.body ?? []) };
  return { ...answer, body: await response.json() };
}
