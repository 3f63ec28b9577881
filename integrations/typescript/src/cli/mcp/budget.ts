import type { Message, Result } from './messages.ts';

/** The maximum total cost of one connection's creates. */
export interface Budget {
  /** Credits available for the next create. */
  creditsLeft(): number;
  /** Why a create request with this key is impossible now; null if it is possible. */
  refusal(key: string): string | null;
  /** Counts the cost of a create request; null if it has no response. */
  record(key: string, response: Message | null): void;
  /**
   * Adds the remaining credits to a response that refuses a create request as too expensive; leaves any other
   * unchanged.
   */
  withRest(response: Message | null): Message | null;
}

/** Codes of refusals that leave open whether the create request was accepted. */
const unknownCodes = /"code":"(internal_error|service_unavailable)"/;
const tooDear = /"code":"price_above_limit"/;

/**
 * Keeps creates within a number of credits. A create request with a lost response may have been charged: until the same
 * one is answered, no other is made, so that the limit holds in any case.
 */
export function createBudget(maxCredits: number): Budget {
  const counted = new Set<string>();
  let left = maxCredits;
  let unanswered: string | null = null;

  return {
    creditsLeft: () => Math.max(0, left),

    refusal: (key) =>
      unanswered === null || unanswered === key
        ? null
        : `Nothing was sent. An earlier create request got no response and may have been charged. Repeat it first, with the same arguments and the idempotency_key ${unanswered}: it is not charged twice.`,

    record(key, response) {
      if (response === null || isUnknown(response.result)) {
        unanswered = key;
        return;
      }
      const { isError = false, content } = response.result ?? {};
      // A temporary refusal says nothing about an earlier attempt of the same create request.
      const isTransient = isError && firstText(content).includes('"retryable":true');
      if (unanswered === key && !isTransient) unanswered = null;
      const { id, billing } = response.result?.structuredContent ?? {};
      if (id === undefined || counted.has(id)) return;
      counted.add(id);
      left -= billing?.cost_credits ?? 0;
    },

    withRest(response) {
      const text = firstText(response?.result?.content);
      if (response?.result?.isError !== true || !tooDear.test(text)) return response;
      const { error } = JSON.parse(text) as { error: { message: string } };
      const message = `${Math.max(0, left)} of ${maxCredits} credits are left. ${error.message}`;
      const errorText = JSON.stringify({ error: { ...error, message } });
      return {
        ...response,
        result: { ...response.result, content: [{ type: 'text', text: errorText }] },
      };
    },
  };
}

function isUnknown(result: Result | undefined): boolean {
  return result?.isError === true && unknownCodes.test(firstText(result.content));
}

function firstText(content: Result['content']): string {
  const text: unknown = content?.[0]?.text;
  return typeof text === 'string' ? text : '';
}
