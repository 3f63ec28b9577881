/** A message of JSON-RPC, as far as the bridge looks into it. */
export interface Message {
  id?: unknown;
  method?: unknown;
  params?: {
    name?: unknown;
    uri?: unknown;
    requestId?: unknown;
    arguments?: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  };
  result?: Result;
  error?: { code?: unknown; message?: unknown };
  jsonrpc?: unknown;
}

/** A result of a tool, or of another method. */
export interface Result {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  structuredContent?: { id?: string; billing?: { cost_credits?: number } };
  protocolVersion?: unknown;
}

/** Reads a line. @throws SyntaxError when it is no JSON object. */
export function parseMessage(line: string): Message {
  const value: unknown = JSON.parse(line);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SyntaxError('Send one JSON-RPC message a line; batches are not taken.');
}

/** Whether the message calls a tool that spends credits. */
export function isCreate({ method, params }: Message): boolean {
  return method === 'tools/call' && String(params?.name).startsWith('create_');
}

/** The headers of the protocol that repeat what the message says, which its newer revisions ask for. */
export function standardHeaders({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const name = params?.name ?? params?.uri;
  return {
    ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    ...(typeof method === 'string' && { 'mcp-method': method }),
    ...(typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) && { 'mcp-name': name }),
  };
}

/** Tells the client that a request came to nothing: to its model where it called a tool. */
export function failure({ id, method }: Message, message: string, code = -32000): object {
  if (method !== 'tools/call') return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
  return {
    jsonrpc: '2.0',
    id,
    result: { isError: true, content: [{ type: 'text', text: message }] },
  };
}
