import { hasState, idWithin } from '../../core/generationBody.ts';
import { membersOf } from '../../core/json.ts';

/** The part of a JSON-RPC message that the bridge uses. */
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

/** The result of a tool or of another method. */
export interface Result {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  structuredContent?: { id?: string; billing?: { cost_credits?: number } };
  protocolVersion?: unknown;
}

/** Parses a line. @throws SyntaxError if it is not a JSON object. */
export function parseMessage(line: string): Message {
  const value: unknown = JSON.parse(line);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SyntaxError('Send one JSON-RPC message per line; batches are not accepted.');
}

/** Whether a message neither requires a response nor is one. */
export function isNotice({ id, method, jsonrpc }: Message): boolean {
  return jsonrpc === '2.0' && typeof method === 'string' && id === undefined;
}

/** Whether the message calls a tool that spends credits. */
export function isCreate({ method, params }: Message): boolean {
  return method === 'tools/call' && String(params?.name).startsWith('create_');
}

const readers: readonly unknown[] = ['get_generation', 'wait_for_generation'];

/** The generation named in a tool call. */
export function toolGenerationId({ method, params }: Message): string | undefined {
  const id = params?.arguments?.['id'];
  const isRead = method === 'tools/call' && readers.includes(params?.name);
  return isRead && typeof id === 'string' ? id : undefined;
}

/**
 * Whether a body answers a message. A create request is answered by an error or by a generation, a read by an error or
 * by that generation; other text, even with a success status, says nothing about them.
 */
export function isResponseTo(message: Message, body: Message): boolean {
  if (body.jsonrpc !== '2.0') return false;
  if (membersOf(body.error)['message'] !== undefined) return true;
  if (typeof body.result !== 'object' || (body.result as unknown) === null) return false;
  const { isError, structuredContent } = body.result;
  const id = toolGenerationId(message);
  if (isError === true || !(isCreate(message) || id !== undefined)) return true;
  return hasState(structuredContent, id);
}

/** The generation named in the text of a malformed response to a create request. */
export function generationToldIn(message: Message, text: string): string | undefined {
  return isCreate(message) ? idWithin(text.replaceAll('\\"', '"')) : toolGenerationId(message);
}

/** The headers that repeat parts of the message, as newer revisions of the protocol require. */
export function standardHeaders({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const name = params?.name ?? params?.uri;
  return {
    ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    ...(typeof method === 'string' && { 'mcp-method': method }),
    ...(typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) && { 'mcp-name': name }),
  };
}

/** Reports a failed request to the client; for a tool call, to its model. */
export function failure({ id, method }: Message, message: string, code = -32000): object {
  if (method !== 'tools/call') return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
  return {
    jsonrpc: '2.0',
    id,
    result: { isError: true, content: [{ type: 'text', text: message }] },
  };
}
