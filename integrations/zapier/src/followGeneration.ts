import { markAsUserFacing, namingKey } from './errors.ts';
import { type FailureCode, failureCodes, hourMs, namesWrongFile } from './generated/contract.ts';
import { getGeneration, hasEnded, type GenerationReading } from './generation.ts';
import { labelOf } from './labels.ts';
import { failureSentences } from './sentences.ts';
import { hasRoom, runAgain, type Step } from './step.ts';

/** Maximum age of a generation while a run waits for it, in ms. */
export const deadlineMs = 2 * hourMs;

/**
 * Waits until the generation has ended: a short while inside the step, then by having Zapier run the step again after
 * the server's hint.
 * @returns The final reading, completed or failed.
 * @throws z.errors.ThrottledError to continue later; z.errors.Error past the deadline, with the id.
 */
export async function followGeneration(
  step: Step,
  first: GenerationReading,
): Promise<GenerationReading> {
  let reading = first;
  while (!hasEnded(reading)) {
    const { id, status } = reading.record;
    const hint = reading.retryAfterSeconds;
    if (reading.ageMs > deadlineMs) {
      throw new step.z.errors.Error(
        `Generation ${id} is still ${status} after two hours. It continues and is not lost: read it later with Find Generation. If it fails, its credits are refunded.${namingKey(step)}`,
        'wait_deadline',
        504,
      );
    }
    if (!hasRoom(step, hint * 1000)) {
      throw runAgain(step, `Generation ${id} is ${status}: waiting for it.`, hint);
    }
    await step.pause(hint * 1000);
    const next = await getGeneration(step, id);
    if (next === null) throw generationGone(step, id);
    reading = next;
  }
  return reading;
}

/** The error for a generation that has just disappeared from this account. */
export function generationGone(step: Step, id: string): Error {
  return new step.z.errors.Error(
    `Generation ${id} is not in this account. Check that the connection is the one that created it.${namingKey(step)}`,
    'generation_not_found',
    404,
  );
}

/**
 * The error that ends a run whose generation failed. If the same inputs cannot succeed, the run is halted: Zapier's
 * automatic replay would only be refused again, and the Zap stays on.
 */
export function failure({ z }: Step, { record }: GenerationReading): Error {
  const { code, param, message = '', retryable } = record.error ?? {};
  const isKnown = code !== undefined && Object.hasOwn(failureCodes, code);
  const knownCode = isKnown ? (code as FailureCode) : 'generation_failed';
  const place = typeof param === 'string' && /^[\w.[\]]{1,60}$/.test(param) ? param : null;
  const where = place === null ? '' : ` (${labelOf(place)})`;
  const sentence = `Generation ${record.id} failed${where}: ${namesWrongFile(message) ? message : failureSentences[knownCode]} Its credits were refunded.`;
  return (isKnown ? failureCodes[knownCode].retryable : retryable !== false)
    ? new z.errors.Error(sentence, knownCode, 422)
    : markAsUserFacing(new z.errors.HaltedError(sentence));
}
