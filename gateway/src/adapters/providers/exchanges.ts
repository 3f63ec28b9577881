import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProviderAnswer } from '../../domain/generation.ts';
import { redactAnswer } from '../net/redact.ts';

/** One HTTP request to a provider and what came of it. Hosts and bodies are for staff only. */
export interface Exchange {
  method: string;
  /** Set for a POST that only asks what became of an order. */
  isLook?: boolean;
  host: string;
  /**
   * Whether the provider may have got the request. False when we refused to send it, and when DNS,
   * connect or TLS failed.
   */
  sent: boolean;
  /** HTTP status; null when no answer came. */
  status: number | null;
  /** The answer's `Content-Type`. */
  mediaType?: string | null;
  /** The answer's text where it was kept: every error, and every answer to a submit or a poll. */
  body: string | null;
  /** The provider's Retry-After (RFC 9110), in ms; null when it gives none. */
  retryAfterMs?: number | null;
  /** Why it failed on the way, without URLs. */
  failure: string | null;
  /** Set when the result was answered with a 5xx although the job's status says that it is finished. */
  isFinished?: boolean;
  /** Set when this answer says that the work has ended without a file: its text. */
  ended?: string;
}

/**
 * What an answer to a poll inside an image call means: the package can use it; it is inconclusive, so that
 * the poll is repeated; or the work has ended without a file, with a text for rules and staff.
 */
export type PollAnswer = 'usable' | 'inconclusive' | { ended: string };

/** How the polls and downloads inside an image call are repeated until one can be used. */
export interface InnerPolling {
  /** What a JSON answer means. */
  read(answer: unknown): PollAnswer;
  /** Between an inconclusive poll and the next one, in ms. */
  pauseMs: number;
  /** The end of the call, however it comes. */
  signal: AbortSignal;
}

/**
 * What a call to a provider's package is for: `submit` and `poll` are short and answer JSON; `images`
 * is one long paid request that may poll and download inside. To cancel a job counts as a poll.
 */
export type CallPurpose = 'submit' | 'poll' | 'images';

/** A call to a provider's package with the HTTP requests that it made. */
export interface ProviderCall {
  purpose: CallPurpose;
  /** The provider's own id of the model that is asked for; null where it does not matter. */
  model: string | null;
  /**
   * Our reference for the work, the same whenever it is asked for again; null where the provider is not
   * known to recognise a repetition by it.
   */
  reference: string | null;
  /** For image calls that poll or download inside. */
  inner: InnerPolling | null;
  /** Whether a person typed what the call is about, so that it may name any address. */
  isTyped: boolean;
  /** The memory that its answers take until it ends. */
  hold: Hold;
  exchanges: Exchange[];
}

/** A call's result or error, with the requests behind it. */
export type RecordedCall<T> = { exchanges: readonly Exchange[] } & (
  { ok: true; value: T } | { ok: false; error: unknown }
);

const calls = new AsyncLocalStorage<ProviderCall>();

/** For the answers of all calls that are being made: twice what the largest may have, in bytes. */
const answers = createByteBudget(512 * 1024 * 1024);

/**
 * Runs a call to a provider's package and records the HTTP requests that it makes through our fetch.
 * Packages may report a failed poll and a failed job alike: the record distinguishes them.
 */
export async function recordCall<T>(
  purpose: CallPurpose,
  work: () => PromiseLike<T>,
  {
    model = null,
    reference = null,
    inner = null,
    isTyped = false,
    budget = answers,
  }: Partial<Pick<ProviderCall, 'model' | 'reference' | 'inner' | 'isTyped'>> & {
    budget?: ByteBudget;
  } = {},
): Promise<RecordedCall<T>> {
  const hold = budget.open();
  const call: ProviderCall = { purpose, model, reference, inner, isTyped, hold, exchanges: [] };
  try {
    const value = await calls.run(call, async () => work());
    return { ok: true, value, exchanges: call.exchanges };
  } catch (error) {
    return { ok: false, error, exchanges: call.exchanges };
  } finally {
    hold.release();
  }
}

/** What is kept for staff of the HTTP requests behind a call: the last one with a body or a failure. */
export function lastAnswer(
  exchanges: readonly Exchange[],
  apiKey: string,
): { answer?: ProviderAnswer } {
  const withContent = exchanges.findLast(({ body, failure }) => body !== null || failure !== null);
  const last = withContent ?? exchanges.at(-1);
  if (!last) return {};
  const clean = (text: string | null) => text && redactAnswer(text, apiKey);
  return {
    answer: {
      request: `${last.method} ${last.host}`,
      status: last.status,
      mediaType: last.mediaType?.slice(0, 100) ?? null,
      body: clean(last.body),
      failure: clean(last.failure),
    },
  };
}

/** Whether a request may order something: any but a GET, unless the provider is known to be asked by it. */
export function mayOrder({ method, isLook = false }: Exchange): boolean {
  return method !== 'GET' && !isLook;
}

/** Whether a request was answered in full, with a status of success. */
export function isAnswered({ status, failure }: Exchange): boolean {
  return failure === null && status !== null && status >= 200 && status < 300;
}

/** The call that is being made, if any. */
export function currentCall(): ProviderCall | undefined {
  return calls.getStore();
}

/** Bytes of one answer, taken from a budget that all answers share. */
export interface Hold {
  /**
   * Takes more bytes; waits while there is no room for them.
   * @throws Error when the hold has been given back.
   */
  take(bytes: number): Promise<void>;
  /** Gives back all that was taken. */
  release(): void;
}

/** Memory for answers under way, in bytes. */
export interface ByteBudget {
  /** How many bytes are taken. */
  used(): number;
  open(): Hold;
}

interface Need {
  hold: Hold;
  order: number;
  bytes: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Makes a budget. What finds no room waits, the oldest first. So that answers which are all half read do
 * not wait for each other, one of them may go beyond the budget: the oldest that waits, until it is given
 * back. The most in use is then the budget and the largest answer.
 */
export function createByteBudget(budgetBytes: number): ByteBudget {
  let used = 0;
  let opened = 0;
  let beyond: Hold | null = null;
  const needs: Need[] = [];

  function serve(): void {
    for (let need = needs[0]; need; [need] = needs) {
      const fits = used + need.bytes <= budgetBytes;
      if (!fits && beyond !== null && beyond !== need.hold) return;
      if (!fits) beyond = need.hold;
      needs.shift();
      need.resolve();
    }
  }

  return {
    used: () => used,
    open() {
      const order = (opened += 1);
      let held = 0;
      let isOver = false;
      const hold: Hold = {
        take: (bytes) =>
          new Promise<void>((resolve, reject) => {
            if (isOver) {
              reject(new Error('the answer is no longer wanted'));
              return;
            }
            const grant = () => {
              used += bytes;
              held += bytes;
              resolve();
            };
            if (beyond === hold) {
              grant();
              return;
            }
            const later = needs.findIndex((each) => each.order > order);
            const need = { hold, order, bytes, resolve: grant, reject };
            needs.splice(later === -1 ? needs.length : later, 0, need);
            serve();
          }),
        release() {
          isOver = true;
          used -= held;
          held = 0;
          if (beyond === hold) beyond = null;
          for (const need of needs.filter((each) => each.hold === hold)) {
            needs.splice(needs.indexOf(need), 1);
            need.reject(new Error('the answer is no longer wanted'));
          }
          serve();
        },
      };
      return hold;
    },
  };
}
