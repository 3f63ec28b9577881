import { reasonOf } from '../../request.ts';
import { retryAfterMs, waitMs } from '../../retry.ts';
import type { Settings } from '../../settings.ts';
import { userAgent } from '../../version.ts';
import { createBudget } from './budget.ts';
import {
  failure,
  generationToldIn,
  isAnswerTo,
  isCreate,
  parseMessage,
  standardHeaders,
  type Message,
} from './messages.ts';

/** Requests under way at a time; further lines are read when there is room. */
const maxUnderWay = 32;
/** How long a request may be unanswered, in ms: the longest wait of a tool, and time for its answer. */
const requestMs = 60_000;
/** How long one is sent again without an answer, in ms: clients give up after about a minute. */
const retryMs = 50_000;

/** What the bridge reads and writes. */
export interface BridgeIo {
  lines: AsyncIterable<string>;
  /** Writes one message. */
  write: (message: object) => void;
  /** Ends everything. */
  signal: AbortSignal;
}

/**
 * Hands the messages of an MCP client on to the gateway, and its answers back: the tools are the gateway's.
 * A create has a key, and what has no answer is sent again as it was, so that nothing is paid twice.
 * @param maxCredits What the creates of this connection may cost together.
 */
export async function bridge(
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
    if (budget && isCreate(message)) headers['framegate-max-credits'] = String(budget.left());
    const answer = await post(settings, { address, headers, message, signal: stopped });
    if (message.method === 'initialize' && answer.session !== null) {
      const version = answer.message?.result?.protocolVersion;
      connection = { 'mcp-session-id': answer.session };
      if (typeof version === 'string') connection['mcp-protocol-version'] = version;
    }
    return answer.message;
  }

  async function create(message: Message, stopped: AbortSignal): Promise<Message | null> {
    const args = message.params?.arguments ?? {};
    const given = args['idempotency_key'];
    const key = typeof given === 'string' ? given : `mcp-${settings.platform.newKey()}`;
    const keyed = { ...args, idempotency_key: given ?? key };
    const whole = { ...message, params: { ...message.params, arguments: keyed } };
    stopped.throwIfAborted();
    const refusal = budget?.refusal(key) ?? null;
    if (refusal !== null) throw new Error(refusal);
    try {
      const answer = await forward(whole, stopped);
      budget?.note(key, answer);
      return answer;
    } catch (error) {
      if (error instanceof Refused && !error.mayHaveArrived) throw error;
      budget?.note(key, null);
      const { message: why } = error as Error;
      throw new Error(
        `${why} The generation may have been created: the same call with idempotency_key ${key} is answered with it and not charged again.`,
      );
    }
  }

  async function handle(message: Message, stopped: AbortSignal): Promise<void> {
    try {
      let answering: Promise<Message | null>;
      if (!isCreate(message)) answering = forward(message, stopped);
      else if (!budget) answering = create(message, stopped);
      else {
        // One after the other: each knows what the one before it has left.
        answering = creates.then(() => create(message, stopped));
        creates = answering.then(
          () => undefined,
          () => undefined,
        );
      }
      const answer = await answering;
      if (answer !== null && message.id !== undefined) write(answer);
    } catch (error) {
      // A request that the client has cancelled gets no answer.
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
    const done = handle(message, AbortSignal.any([signal, stop.signal])).finally(() => {
      underWay.delete(key);
    });
    underWay.set(key, { done, stop });
    // What a client says first decides how the rest is sent.
    if (message.method === 'initialize') await done;
    if (underWay.size >= maxUnderWay) {
      await Promise.race([...underWay.values()].map((each) => each.done));
    }
  }
  await Promise.all([...underWay.values()].map((each) => each.done));
}

/** An answer that is none of the protocol's: refused by the gateway, or of something in between. */
class Refused extends Error {
  readonly status: number;
  /** Whether this try or one before it may have been carried out. */
  mayHaveArrived: boolean;
  /** The generation that it names. */
  readonly generationId: string | undefined;
  constructor(status: number, message: string, generationId: string | undefined) {
    super(message);
    this.status = status;
    this.generationId = generationId;
    // A page with a success may be in place of the gateway's answer.
    this.mayHaveArrived = status >= 500 || isSuccess(status);
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

interface Post {
  address: string;
  headers: Record<string, string>;
  message: Message;
  signal: AbortSignal;
}

/** Sends a message, and the same again while it has no answer. @throws Error, Refused */
async function post(settings: Settings, call: Post) {
  const { platform, onRetry } = settings;
  const until = platform.now() + retryMs;
  let mayHaveArrived = false;
  let generationId = generationToldIn(call.message, '');
  for (let tries = 1; ; tries += 1) {
    call.signal.throwIfAborted();
    const { error, askedMs, answer } = await attempt(settings, call);
    if (answer) return answer;
    const ms = waitMs(platform, tries, askedMs);
    if (error instanceof Refused) error.mayHaveArrived ||= mayHaveArrived;
    mayHaveArrived = !(error instanceof Refused) || error.mayHaveArrived;
    if (error instanceof Refused) generationId ??= error.generationId;
    const passes = !(error instanceof Refused) || mayPass(error.status);
    if (!passes || call.signal.aborted || platform.now() + ms > until) {
      throw named(error, generationId);
    }
    onRetry(error, ms);
    await platform.sleep(ms, call.signal);
  }
}

const mayPass = (status: number): boolean => status === 429 || status >= 500 || isSuccess(status);

/** The error with the generation in its words, which goes on whatever became of the message. */
function named(error: Error, id: string | undefined): Error {
  if (id !== undefined) error.message += ` Generation: ${id}.`;
  return error;
}

type Attempt =
  | { answer: { message: Message | null; session: string | null }; error?: never; askedMs?: never }
  | { answer?: never; error: Error; askedMs?: number | undefined };

async function attempt(
  settings: Settings,
  { address, headers, message, signal }: Post,
): Promise<Attempt> {
  let response: Response;
  let text: string;
  try {
    response = await settings.platform.fetch(address, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${settings.apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': userAgent(),
      },
      body: JSON.stringify(message),
      // The key goes to the base URL and nowhere else.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
    });
    text = await response.text();
  } catch (cause) {
    const why = `No answer from ${address} (${reasonOf(cause)}). Check the base URL and your network.`;
    return { error: new Error(why, { cause }) };
  }
  const session = response.headers.get('mcp-session-id');
  // A notification asks for no answer.
  if (response.ok && message.id === undefined) return { answer: { message: null, session } };
  const body = parsed(text);
  // Errors of the protocol have a status of their own, too.
  if (isAnswerTo(message, body)) {
    return { answer: { message: { ...body, id: message.id }, session } };
  }
  const { status } = response;
  const said = body.error?.message;
  const why =
    status === 404
      ? `${address} does not speak MCP: it is switched off there (MCP=off), or the gateway is older.`
      : typeof said === 'string'
        ? said
        : `${address} answered ${status} with something that is not the gateway's. Check the base URL, and proxies in between.`;
  const told = response.ok ? generationToldIn(message, text) : undefined;
  return { error: new Refused(status, why, told), askedMs: retryAfterMs(response.headers) };
}

function parsed(text: string): Message {
  try {
    return parseMessage(text);
  } catch {
    return {};
  }
}
