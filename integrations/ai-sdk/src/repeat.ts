import { APICallError } from '@ai-sdk/provider';
import type { CallOptions } from './callOptions.ts';
import { createPace, type Turn } from './generated/pace.ts';
import { paceMs, retryAfterMs, waitMs } from './generated/retry.ts';
import { pauseMs } from './pause.ts';

/** How often a create request with an unknown outcome is repeated. */
const maxRepeats = 3;
/** Longest pause before repeating a create request, in ms; longer outages are left to the caller. */
const maxPauseMs = 30_000;
/** How long a create request waits while the service accepts no more (429), in ms: nothing was made. */
const limitMs = 120_000;
/** Creates are charged, so a service is likely to limit them: they are not sent all at once. */
const defaultCreates = { burst: 10, intervalMs: 100 };

/** How one create request is repeated. */
interface RepeatPlan extends CallOptions {
  isUnknown: (error: APICallError) => boolean;
  /** Whether it waits out a limit, in turn with the others. */
  keepsPace: boolean;
}

/** Sends a create request, and repeats it with its key while its outcome is unknown or a limit delays it. */
export type Repeat = <T>(create: () => Promise<T>, plan: RepeatPlan) => Promise<T>;

/**
 * The create requests of one provider share a pace, so that they wait out a limit together.
 * @returns A function that throws the APICallError of the last attempt, or the limit's if a turn comes too late.
 */
export function createRepeat(): Repeat {
  const pace = createPace<APICallError>(defaultCreates);

  async function waitForTurn(until: number, plan: CallOptions): Promise<Turn> {
    for (;;) {
      const nowMs = Date.now();
      const refusal = pace.refusal();
      if (refusal && pace.nextAt(nowMs) > until) throw refusal;
      const turn = pace.take(nowMs);
      if (turn.at > nowMs) await pauseMs(turn.at - nowMs, plan);
      if (pace.holds(turn)) return turn;
    }
  }

  return async function repeat(create, plan) {
    const until = Date.now() + limitMs;
    let repeats = 0;
    for (let attempts = 1; ; attempts += 1) {
      const turn = plan.keepsPace ? await waitForTurn(until, plan) : null;
      try {
        const response = await create();
        if (turn) pace.recordAccepted(turn);
        return response;
      } catch (error) {
        if (!APICallError.isInstance(error)) throw error;
        const headers = new Headers(error.responseHeaders);
        const ms = waitMs(Math, attempts, retryAfterMs(headers));
        if (turn && error.statusCode === 429) {
          pace.recordRefused(turn, Date.now(), {
            waitMs: ms,
            paceMs: paceMs(headers),
            refusal: error,
          });
          continue;
        }
        if (!plan.isUnknown(error) || repeats === maxRepeats) throw error;
        repeats += 1;
        await pauseMs(Math.min(maxPauseMs, ms), plan);
      }
    }
  };
}
