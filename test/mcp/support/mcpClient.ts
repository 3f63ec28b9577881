import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The SDK's own client, connected to a gateway. */
export interface McpClient {
  client: Client;
  transport: StreamableHTTPClientTransport;
  /** Calls a tool. */
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

/** Options of a connection. */
export interface Connecting {
  origin: string;
  apiKey: string;
  headers?: Record<string, string>;
  /** Uses the revision of 2026-07-28 instead of an earlier one. */
  isModern?: boolean;
}

/** Connects a client by Streamable HTTP. */
export async function connectMcp(options: Connecting): Promise<McpClient> {
  const { origin, apiKey, headers = {}, isModern = false } = options;
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}`, ...headers } },
  });
  await client.connect(transport);
  return {
    client,
    transport,
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
  };
}

/** A tool's error as the model reads it. */
export function errorOf({ isError, content }: CallToolResult): Record<string, unknown> {
  const [first] = content;
  if (isError !== true || first?.type !== 'text') throw new Error('the tool has not refused');
  return (JSON.parse(first.text) as { error: Record<string, unknown> }).error;
}
