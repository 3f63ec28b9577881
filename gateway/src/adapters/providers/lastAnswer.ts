import type { ProviderAnswer } from '../../domain/generation.ts';
import type { Exchange } from './exchanges.ts';
import { redactAnswer } from './redactAnswer.ts';

/** What is kept for staff of the HTTP requests behind a call: the last that tells something. */
export function lastAnswer(
  exchanges: readonly Exchange[],
  apiKey: string,
): { answer?: ProviderAnswer } {
  const telling = exchanges.findLast(({ body, failure }) => body !== null || failure !== null);
  const last = telling ?? exchanges.at(-1);
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
