import type { FailureCode } from '@framegate/contract';
import type { Attempt } from '../generations/attempt.ts';
import type { Generation } from '../generations/generation.ts';

/** Why generations failed, in the words of staff; those of routes come from the last attempt. */
const causes: Readonly<Record<FailureCode, string | null>> = {
  input_unreachable: 'an input could not be downloaded from its URL',
  input_invalid: 'an input does not fit the model',
  input_rejected: 'the safety check refused the prompt or an input',
  output_rejected: 'the safety check withheld the result',
  real_person_rejected: 'an input seems to show the face of a real person',
  capacity_exceeded: null,
  generation_timeout: null,
  generation_failed: null,
  internal_error: 'the fault was ours',
};

/** Causes of the failures that attempts do not explain. */
const withoutAttempt: Partial<Record<FailureCode, string>> = {
  capacity_exceeded: 'no provider had capacity in time',
  generation_timeout: 'it did not finish in time',
};

/** The cause of a failure, as a clause that follows a colon. */
export function causeOf({ failure, attempts }: Pick<Generation, 'failure' | 'attempts'>): string {
  const code = failure?.code ?? 'generation_failed';
  const last = attempts.at(-1);
  const cause = causes[code];
  if (cause !== null) return cause;
  const ofAttempt = last && causeOfAttempt(last, code);
  return ofAttempt ?? withoutAttempt[code] ?? 'no provider could produce it';
}

function causeOfAttempt(
  { provider, outcome, responses, lost, note }: Attempt,
  code: FailureCode,
): string | null {
  const answered = responses?.poll ?? responses?.submit;
  const status = answered?.status ?? null;
  if (lost) return `the result of ${provider} was lost (${lost.reason.replaceAll('_', ' ')})`;
  if (answered && (status === null || status >= 500)) {
    return `${provider} was down (${status === null ? 'no response' : status})`;
  }
  if (outcome === 'unknown') return `${provider} did not answer`;
  if (code !== 'generation_failed') return null;
  if (outcome === 'refused') return `${provider} refused the order`;
  return note?.startsWith('staff: ') === true ? 'staff ended it' : `it failed at ${provider}`;
}
