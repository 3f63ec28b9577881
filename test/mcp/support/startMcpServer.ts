import { buildOpenApi } from '@framegate/contract/openapi';
import {
  goodKey,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../http/startTestServer.ts';

/* The HTTP layer with the protocol, and messages posted to it unchanged. */

/** Origin of the server's own pages. */
export const origin = 'https://api.test';

const openApi = () => buildOpenApi({ baseUrl: `${origin}/v1` });

/** Starts it. @param stopSignal Aborted when the process stops. */
export function startMcpServer(
  useCases: NonNullable<TestServerOptions['useCases']> = {},
  app: TestServerOptions['app'] = {},
  stopSignal = new AbortController().signal,
): Promise<TestServer> {
  const mcp = {
    origins: [origin],
    estimateCost: () => {
      throw new Error('a bug with a secret in it');
    },
    store: { open: async () => null },
    version: '1.2.3',
    stopSignal,
  };
  return startTestServer({ useCases, app: { mcp, openApi, ...app } });
}

/** A request of the protocol. */
export const rpc = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

/** A call of a tool. */
export const call = (name: string, args: object = {}) =>
  rpc('tools/call', { name, arguments: args });

/** Posts a message, or text instead. */
export function post(server: TestServer, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    ...init,
    headers: {
      authorization: goodKey,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(init.headers as Record<string, string>),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Response of a tool, as text. */
export async function said(response: Response): Promise<string> {
  const { result } = (await response.json()) as { result: { content: { text: string }[] } };
  return String(result.content[0]?.text);
}
