import type { Dialect } from '../dialect.ts';
import type { PollResponse } from '../exchanges.ts';
import { fieldsOf, parseJson } from '../unknownJson.ts';

/**
 * Interprets a response about a task of a FLUX model, at Black Forest Labs or a reseller: the statuses of their
 * "Errors" page; any other is inconclusive.
 */
function parseFluxPoll(response: unknown): PollResponse {
  const { status, result, details } = fieldsOf(response);
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
 * `@ai-sdk/fireworks` 3, images. The size follows from the ratio, and is in pixels only for the Stable
 * Diffusion models. Kontext queues its work and is polled by POST; the package keeps polling after a task was
 * moderated, so the polls are interpreted here.
 */
export const fireworks: Partial<Dialect> = { parseImagePoll: parseFluxPoll };

/**
 * `@ai-sdk/black-forest-labs` 2. For images one call submits, polls the URL of a regional host that the submission
 * names (it answers for orders that api.bfl.ai accepted), and downloads. The package keeps polling after "Request
 * Moderated", and cannot read "Content Moderated" and "Task not found", so the polls are interpreted here. It warns
 * about any `size`, and takes sides of up to 1920 pixels as its own options.
 */
export const blackForestLabs: Partial<Dialect> = {
  parseImagePoll: parseFluxPoll,
  isVerdict: ({ status, body }) =>
    status === 200 && typeof parseFluxPoll(parseJson(body ?? '')) === 'object',
};
