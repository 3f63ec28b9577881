import { mayHaveArrived, reasonOf } from '../../core/exchange.ts';
import { isRetryable, retryAfterMs, waitMs } from '../../core/retry.ts';
import type { Settings } from '../../settings.ts';
import { userAgent } from '../../version.ts';
import { readEvents } from './events.ts';
import {
  generationToldIn,
  isNotice,
  isResponseTo,
  type Message,
  parseMessage,
} from './messages.ts';

/** Time limit of a request, in ms: the longest wait of a tool, plus time for its response. */
const requestMs = 60_000;
/** How long an unanswered request is repeated, in ms: clients give up after about a minute. */
const retryMs = 50_000;

/** A response outside the protocol: a refusal by the gateway, or a message from something in between. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  /** Whether this or an earlier attempt may have taken effect. */
  mayHaveArrived: boolean;
  /** The generation named in it. */
  readonly generationId: string | undefined;
  constructor(status: number, message: string, generationId: string | undefined) {
    super(message);
    this.status = status;
    this.generationId = generationId;
    // A page with a success status may replace the gateway's response.
    this.mayHaveArrived = mayHaveArrived(status) || isSuccess(status);
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** A message being sent. */
export interface Post {
  address: string;
  headers: Record<string, string>;
  message: Message;
  /** Aborts it. */
  signal: AbortSignal;
  /** Receives messages before the response, such as progress. */
  onNotice: (notice: Message) => void;
}

/** Sends a message, and repeats it while it has no response. @throws Error, RefusedError */
export async function post(settings: Settings, call: Post) {
  const { platform, onRetry } = settings;
  const until = platform.now() + retryMs;
  let hasArrived = false;
  let generationId = generationToldIn(call.message, '');
  for (let attempts = 1; ; attempts += 1) {
    call.signal.throwIfAborted();
    const { error, askedMs, response } = await postOnce(settings, call);
    if (response) return response;
    const ms = waitMs(platform, attempts, askedMs);
    if (error instanceof RefusedError) error.mayHaveArrived ||= hasArrived;
    hasArrived = !(error instanceof RefusedError) || error.mayHaveArrived;
    if (error instanceof RefusedError) generationId ??= error.generationId;
    const isTransient =
      !(error instanceof RefusedError) || isRetryable(error.status) || isSuccess(error.status);
    if (!isTransient || call.signal.aborted || platform.now() + ms > until) {
      throw withGenerationId(error, generationId);
    }
    onRetry(error, ms);
    await platform.sleep(ms, call.signal);
  }
}

/** The error with the generation's id in its message: the generation continues in any case. */
function withGenerationId(error: Error, id: string | undefined): Error {
  if (id !== undefined) error.message += ` Generation: ${id}.`;
  return error;
}

type Attempt =
  | {
      response: { message: Message | null; session: string | null };
      error?: never;
      askedMs?: never;
    }
  | { response?: never; error: Error; askedMs?: number | undefined };

async function postOnce(
  settings: Settings,
  { address, headers, message, signal, onNotice }: Post,
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
      // The key goes only to the base URL.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
    });
    text = await readResponse(response, onNotice);
  } catch (cause) {
    const why = `No response from ${address} (${reasonOf(cause)}). Check the base URL and your network.`;
    return { error: new Error(why, { cause }) };
  }
  const session = response.headers.get('mcp-session-id');
  // A notification expects no response.
  if (response.ok && message.id === undefined) return { response: { message: null, session } };
  const body = parseMessageOrEmpty(text);
  // Protocol errors also have their own status.
  if (isResponseTo(message, body)) {
    return { response: { message: { ...body, id: message.id }, session } };
  }
  const { status } = response;
  const reason = body.error?.message;
  const why =
    status === 404
      ? `${address} does not support MCP: it is turned off there (MCP=off), or the gateway is too old.`
      : typeof reason === 'string'
        ? reason
        : `${address} returned ${status} with something that is not from the gateway. Check the base URL, and proxies in between.`;
  const toldId = response.ok ? generationToldIn(message, text) : undefined;
  return { error: new RefusedError(status, why, toldId), askedMs: retryAfterMs(response.headers) };
}

function parseMessageOrEmpty(text: string): Message {
  try {
    return parseMessage(text);
  } catch {
    return {};
  }
}

/** The text of a response, which may be the last of a stream of events. */
async function readResponse(response: Response, onNotice: Post['onNotice']): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || !type.startsWith('text/event-stream')) return response.text();
  let last = '';
  for await (const text of readEvents(response.body)) {
    const message = parseMessageOrEmpty(text);
    if (isNotice(message)) onNotice(message);
    else last = text;
  }
  return last;
}
