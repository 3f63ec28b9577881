import type { Settings } from '../../settings.ts';
import { createBudget } from './budget.ts';
import { failure, isCreate, type Message, parseMessage, standardHeaders } from './messages.ts';
import { post, RefusedError } from './post.ts';

/** Maximum concurrent requests; further lines are read when there is room. */
const maxUnderWay = 32;

/** Input and output of the bridge. */
export interface BridgeIo {
  lines: AsyncIterable<string>;
  /** Writes one message. */
  write: (message: object) => void;
  /** Aborts everything. */
  signal: AbortSignal;
}

/**
 * Passes the messages of an MCP client on to the gateway, and its responses back: the tools are the gateway's. A create
 * request has a key, and a message without a response is repeated unchanged, so that nothing is charged twice.
 * @param maxCredits Maximum total cost of this connection's creates.
 */
export async function runBridge(
  settings: Settings,
  { lines, write, signal }: BridgeIo,
  maxCredits?: number,
): Promise<void> {
  const address = settings.baseUrl.replace(/\/v1$/, '/mcp');
  const budget = maxCredits === undefined ? null : createBudget(maxCredits);
  const underWay = new Map<unknown, { done: Promise<void>; stop: AbortController }>();
  let connection: Record<string, string> = {};
  let creates = Promise.resolve();

  async function forward(message: Message, stopped: AbortSignal): Promise<Message | null> {
    const headers = { ...connection, ...standardHeaders(message) };
    if (budget && isCreate(message)) {
      headers['framegate-max-credits'] = String(budget.creditsLeft());
    }
    const response = await post(settings, {
      address,
      headers,
      message,
      signal: stopped,
      onNotice: write,
    });
    if (message.method === 'initialize' && response.session !== null) {
      const version = response.message?.result?.protocolVersion;
      connection = { 'mcp-session-id': response.session };
      if (typeof version === 'string') connection['mcp-protocol-version'] = version;
    }
    return response.message;
  }

  async function create(message: Message, stopped: AbortSignal): Promise<Message | null> {
    const args = message.params?.arguments ?? {};
    const ownKey = args['idempotency_key'];
    const key = typeof ownKey === 'string' ? ownKey : `mcp-${settings.platform.newKey()}`;
    const keyed = { ...args, idempotency_key: ownKey ?? key };
    const whole = { ...message, params: { ...message.params, arguments: keyed } };
    stopped.throwIfAborted();
    const refusal = budget?.refusal(key) ?? null;
    if (refusal !== null) throw new Error(refusal);
    try {
      const response = await forward(whole, stopped);
      budget?.record(key, response);
      return budget?.withRest(response) ?? response;
    } catch (error) {
      if (error instanceof RefusedError && !error.mayHaveArrived) throw error;
      budget?.record(key, null);
      const { message: why } = error as Error;
      throw new Error(
        `${why} The generation may have been created: the same call with idempotency_key ${key} returns it and is not charged again.`,
      );
    }
  }

  async function handle(message: Message, stopped: AbortSignal): Promise<void> {
    try {
      let answering: Promise<Message | null>;
      if (!isCreate(message)) {
        answering = forward(message, stopped);
      } else if (!budget) {
        answering = create(message, stopped);
      } else {
        // One after the other: each knows the credits left by the previous one.
        answering = creates.then(() => create(message, stopped));
        creates = answering.then(
          () => undefined,
          () => undefined,
        );
      }
      const response = await answering;
      if (response !== null && message.id !== undefined) write(response);
    } catch (error) {
      // A request cancelled by the client gets no response.
      if (message.id !== undefined && !stopped.aborted) {
        write(failure(message, (error as Error).message));
      }
    }
  }

  for await (const line of lines) {
    if (line.trim() === '') continue;
    let message: Message;
    try {
      message = parseMessage(line);
    } catch (error) {
      write(failure({}, (error as Error).message, -32700));
      continue;
    }
    if (message.method === 'notifications/cancelled') {
      underWay.get(message.params?.requestId)?.stop.abort();
      continue;
    }
    const key = message.id ?? Symbol('notification');
    const stop = new AbortController();
    const handling = handle(message, AbortSignal.any([signal, stop.signal])).finally(() => {
      underWay.delete(key);
    });
    underWay.set(key, { done: handling, stop });
    // A client's first message decides how the rest is sent.
    if (message.method === 'initialize') await handling;
    if (underWay.size >= maxUnderWay) {
      await Promise.race([...underWay.values()].map((each) => each.done));
    }
  }
  await Promise.all([...underWay.values()].map((each) => each.done));
}
