import { standardDialect, type Dialect } from '../dialect.ts';
import type { PollAnswer } from '../exchanges.ts';
import { type DefaultRule } from '../providerFailures.ts';
import { fieldsOf, parseJson } from '../unknownJson.ts';
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
  const { status, result, details } = fieldsOf(answer);
  if (status === 'Pending') return 'usable';
  if (status === 'Ready') {
    const isReady = URL.canParse(String(fieldsOf(result)['sample']));
    return isReady ? 'usable' : { ended: 'Ready without a sample' };
  }
  if (!ends.includes(status)) return 'inconclusive';
  return { ended: `${String(status)}: ${details === undefined ? '' : JSON.stringify(details)}` };
}

const ends: readonly unknown[] = ['Request Moderated', 'Content Moderated', 'Error', 'Failed'];

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
