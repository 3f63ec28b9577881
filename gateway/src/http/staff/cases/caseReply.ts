import type { StaffGeneration } from '../../../application/ports/staffQueries.ts';
import type { Case } from '../../../application/staff/openCase.ts';
import { causeOf } from '../../../domain/staff/verdict.ts';
import { inLanguage } from '../../../texts/language.ts';
import { text } from '../../../texts/text.ts';
import { formatDate, formatMinute, formatNumber } from '../../pages/html.ts';
import { describeFailure } from '../../site/account/generations/labels.ts';

/** How a generation ended, in one sentence for staff. */
export function verdictOf(generation: StaffGeneration, nowMs: number): string {
  const { status, createdAt, endedAt, costCredits, refundedCredits, attempts } = generation;
  const credits = formatNumber(costCredits);
  if (endedAt === null) {
    const provider = status === 'processing' ? attempts.at(-1)?.provider : undefined;
    const place = provider === undefined ? 'Waiting' : `In progress at ${provider}`;
    return `${place} since ${formatMinute(createdAt)}, ends by ${formatMinute(generation.deadlineAt)}. ${credits} credits charged.`;
  }
  if (status === 'failed') {
    const refund =
      refundedCredits === 0
        ? 'Nothing refunded'
        : `${formatNumber(refundedCredits)} credits refunded`;
    return `Failed ${formatMinute(endedAt)}: ${causeOf(generation)}. ${refund}.`;
  }
  const { outputsRemovedAt, outputsRemoveAt } = generation;
  const files =
    outputsRemovedAt !== null
      ? `Its files were deleted ${formatMinute(outputsRemovedAt)}`
      : `Its files are kept${outputsRemoveAt === null ? '' : ` until ${formatDate(outputsRemoveAt)}`}`;
  const isOver = outputsRemovedAt === null && outputsRemoveAt !== null && outputsRemoveAt <= nowMs;
  return `Completed ${formatMinute(endedAt)}, ${credits} credits charged. ${isOver ? 'Its files are being deleted' : files}.`;
}

/** A reply to the customer about a generation, or a request for its id, in the language of the account. */
export function replyTo(
  { language, likely, isGuess }: Case,
  { accountUrl, nowMs }: { accountUrl: string; nowMs: number },
): string {
  return inLanguage(language, () => {
    const [first] = likely;
    const answer =
      first === undefined || isGuess
        ? text('replies.noneFound')
        : aboutGeneration(first.generation, accountUrl, nowMs);
    return [text('replies.greeting'), answer, text('replies.regards')].join('\n\n');
  });
}

function aboutGeneration(generation: StaffGeneration, accountUrl: string, nowMs: number): string {
  const { id, type, status, createdAt, endedAt, costCredits, refundedCredits } = generation;
  const named = { kind: type, id, created: formatMinute(createdAt) };
  if (endedAt === null) {
    const deadline = formatMinute(generation.deadlineAt);
    return text('replies.running', { ...named, deadline, credits: costCredits });
  }
  const ended = formatMinute(endedAt);
  if (status === 'failed') {
    const { failure } = generation;
    const why = failure ? describeFailure(failure.code, failure.wrongFile) : '';
    const refund =
      refundedCredits > 0
        ? text('replies.refunded', { credits: refundedCredits })
        : text('replies.notRefunded');
    return `${text('replies.failed', { ...named, ended, why })} ${refund}`;
  }
  const { outputsRemovedAt, outputsRemoveAt } = generation;
  const until = formatDate(outputsRemovedAt ?? outputsRemoveAt ?? endedAt);
  const isGone = outputsRemovedAt !== null || (outputsRemoveAt ?? Infinity) <= nowMs;
  if (isGone) return text('replies.removed', { ...named, ended, until });
  return text('replies.completed', {
    ...named,
    ended,
    until,
    url: `${accountUrl}/generations/${id}`,
  });
}
