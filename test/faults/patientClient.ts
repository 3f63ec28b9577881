import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultAccount } from './faultWorld.ts';
import { clipOrder, type Order } from './orders.ts';

/** A client's view of one create request. */
export interface History {
  account: FaultAccount;
  key: string;
  order: Order;
  prompt: string;
  /** Generation's id in the first 202. */
  generationId: string;
  /** Bytes of the first 202. */
  text: string;
  attempts: number;
  /** Wrong responses, as text; empty if all went well. */
  wrong: string[];
}

/** One request of a client and its result. */
export interface ClientAttempt {
  origin: string;
  account: FaultAccount;
  /** Time in ms of `performance.now()`. */
  sentAt: number;
  tookMs: number;
  /** Null if there was no response. */
  status: number | null;
}

const responseMs = 8_000;
const pauseMs = 100;

/**
 * A client that follows the documentation: it repeats the same request with the same key, whatever happens, until it is
 * accepted. Only 202, 503 (with Retry-After) and no response are correct.
 */
export async function createPatiently(
  origins: () => readonly string[],
  account: FaultAccount,
  asked: string | Order,
  { key = randomUUID(), heard }: { key?: string; heard?: (attempt: ClientAttempt) => void } = {},
): Promise<History> {
  const order = typeof asked === 'string' ? clipOrder(asked) : asked;
  const history: History = {
    account,
    key,
    order,
    prompt: order.prompt,
    generationId: '',
    text: '',
    attempts: 0,
    wrong: [],
  };
  while (history.text === '') {
    if (history.attempts > 0) await pause(pauseMs);
    history.attempts += 1;
    const origin = pickOrigin(origins(), history.attempts);
    const sentAt = performance.now();
    const response = await tryOnce(origin, history);
    const status = response?.status ?? null;
    heard?.({ origin: origin ?? '', account, sentAt, tookMs: performance.now() - sentAt, status });
    if (response?.status === 202) accept(history, response.text);
    else if (response) judge(history, response);
    if (history.wrong.length > 5 || history.attempts > 2_000) break;
  }
  return history;
}

/** Repeats an accepted create request: the response must be the same, byte for byte. */
export async function repeatCreate(origin: string, history: History): Promise<void> {
  const response = await tryOnce(origin, history);
  if (response?.status === 202 && response.text === history.text && response.replayed) return;
  if (response && response.status !== 503) {
    history.wrong.push(`a replay answered ${response.status}: ${response.text}`);
  }
}

function accept(history: History, text: string): void {
  history.text = text;
  history.generationId = String((JSON.parse(text) as { id: unknown }).id);
}

interface ApiResponse {
  status: number;
  text: string;
  retryAfter: string | null;
  replayed: boolean;
}

function judge(history: History, { status, text, retryAfter }: ApiResponse): void {
  if (status === 503 && retryAfter !== null) return;
  history.wrong.push(`attempt ${history.attempts} was answered ${status}: ${text}`);
}

const pickOrigin = (origins: readonly string[], count: number): string | undefined =>
  origins[count % Math.max(1, origins.length)];

/** One request; null if it got no response. */
async function tryOnce(
  origin: string | undefined,
  { account, key, order }: History,
): Promise<ApiResponse | null> {
  if (origin === undefined) return null;
  try {
    const response = await fetch(`${origin}${order.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(order.body),
      signal: AbortSignal.timeout(responseMs),
    });
    return {
      status: response.status,
      text: await response.text(),
      retryAfter: response.headers.get('retry-after'),
      replayed: response.headers.get('idempotent-replayed') === 'true',
    };
  } catch {
    return null;
  }
}

/** Price of an order of text to video. */
export const clientCredits = clipOrder('').credits;
