import { standardDialect, type Dialect } from '../dialect.ts';
import type { PollAnswer } from '../exchanges.ts';
import { parseJson, type DefaultRule } from '../providerFailures.ts';
import { parseRows } from '../rows.ts';
import models from '../rows/blackForestLabs.json' with { type: 'json' };

/** The party at fault, by the status of a task. */
export const fluxRules: readonly DefaultRule[] = [
  { match: /(^|status ")request moderated/i, code: 'input_rejected' },
  { match: /(^|status ")content moderated/i, code: 'output_rejected' },
];

/**
 * Interprets an answer about a task of a FLUX model, at Black Forest Labs or a reseller: the statuses of their
 * "Errors" page; any other is inconclusive.
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

/**
 * `@ai-sdk/black-forest-labs` 2. For images one call submits, polls the URL of a regional host that the
 * submission names, and downloads. The package keeps polling after "Request Moderated", and cannot read
 * "Content Moderated" and "Task not found", so the polls are interpreted here. It warns about any `size`, and
 * takes sides of up to 1920 pixels as its own options.
 */
export const blackForestLabsDialect: Dialect = {
  ...standardDialect,
  name: 'blackForestLabs',
  // A regional host answers for orders that api.bfl.ai accepted.
  apiHosts: ['*.bfl.ai'],
  defaultRules: fluxRules,
  models: parseRows(models),
  isVerdict: ({ status, body }) =>
    status === 200 && typeof parseFluxPoll(parseJson(body ?? '')) === 'object',
  queuesImages: true,
  parseImagePoll: parseFluxPoll,
};
