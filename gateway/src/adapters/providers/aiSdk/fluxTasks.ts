import type { PollAnswer } from '../exchanges.ts';
import type { DefaultRule } from '../providerFailures.ts';

/** Who is at fault, by the status of a task. */
export const fluxRules: readonly DefaultRule[] = [
  { match: /(^|status ")request moderated/i, code: 'input_rejected' },
  { match: /(^|status ")content moderated/i, code: 'output_rejected' },
];

/**
 * What an answer about a task of a FLUX model means, at Black Forest Labs and where they run them for others:
 * the statuses of their "Errors" page; any other is inconclusive.
 */
export function parseFluxPoll(answer: unknown): PollAnswer {
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) return 'inconclusive';
  const { status } = answer;
  if (status === 'Pending') return 'usable';
  if (status === 'Ready') return hasSample(answer) ? 'usable' : { ended: 'Ready without a sample' };
  const isEnd = ['Request Moderated', 'Content Moderated', 'Error', 'Failed'].includes(
    String(status),
  );
  if (!isEnd) return 'inconclusive';
  const details = 'details' in answer ? JSON.stringify(answer.details) : '';
  return { ended: `${String(status)}: ${details}` };
}

function hasSample(answer: object): boolean {
  const result = 'result' in answer ? answer.result : null;
  if (typeof result !== 'object' || result === null || !('sample' in result)) return false;
  return typeof result.sample === 'string' && URL.canParse(result.sample);
}
