import { catalogue } from '@framegate/contract';
import { commaSeparated, parsed, wholeNumber } from './setting.ts';

const deadline = { unit: 'seconds', allowed: 'seconds or seconds,model=seconds,…' } as const;

/** Settings of deadlines and retention. */
export const timeSettings = {
  WAITING_DEADLINE_SECONDS: parsed(
    {
      ...deadline,
      fallback: '21600',
      meaning:
        'How long a generation may wait to be given to a provider; then it fails and is refunded.',
    },
    parseDeadline(['video', 'image']),
  ),
  VIDEO_DEADLINE_SECONDS: parsed(
    {
      ...deadline,
      fallback: '3600',
      meaning: 'How long a video may run at a provider; then it fails and is refunded.',
    },
    parseDeadline(['video']),
  ),
  IMAGE_DEADLINE_SECONDS: parsed(
    {
      ...deadline,
      fallback: '600',
      meaning: 'How long images may run at a provider; then they fail and are refunded.',
    },
    parseDeadline(['image']),
  ),
  IDEMPOTENCY_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 31_536_000,
    fallback: '604800',
    unit: 'seconds',
    meaning:
      'How long an Idempotency-Key answers with its generation. Customers are promised 7 days: a shorter time charges late repeats twice.',
  }),
  STOP_PAUSE_SECONDS: wholeNumber({
    min: 0,
    max: 300,
    fallback: '0',
    unit: 'seconds',
    meaning:
      'How long the API still takes requests after SIGTERM, while `/readyz` answers 503: a load balancer has to notice within it. `STOP_GRACE_SECONDS` begins after it.',
  }),
  STOP_GRACE_SECONDS: wholeNumber({
    min: 1,
    max: 3_600,
    fallback: '200',
    unit: 'seconds',
    meaning:
      'Time for requests and work under way at a stop; an image call takes up to 180 seconds. The orchestrator must wait longer before it kills.',
  }),
  OUTPUTS_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 31_536_000,
    fallback: '604800',
    unit: 'seconds',
    meaning: 'How long finished files are kept; Idempotency-Keys have a time of their own.',
  }),
  PROMPTS_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 315_360_000,
    fallback: '2592000',
    unit: 'seconds',
    meaning: 'How long prompts and the addresses of inputs are kept after the end of a generation.',
  }),
  AUDIT_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 946_080_000,
    fallback: '94608000',
    unit: 'seconds',
    meaning: 'How long audit records of real-person mode are kept.',
  }),
};

/** Longest deadline, in seconds: 30 days. */
const maxDeadlineSeconds = 2_592_000;

/** A deadline in seconds, with exceptions for single models. */
export interface Deadline {
  seconds: number;
  byModel: Readonly<Record<string, number>>;
}

/**
 * Parses `seconds` or `seconds,model=seconds,…`.
 * @param types The types of models that the deadline applies to.
 * @throws Error stating the problem.
 */
function parseDeadline(types: readonly string[]): (text: string) => Deadline {
  return (text) => {
    const [first = '', ...rest] = commaSeparated(text);
    const byModel = rest.map((item): [string, number] => {
      const [id = '', seconds = ''] = item.split('=');
      const model = catalogue.find((each) => each.id === id && types.includes(each.type));
      if (model === undefined) throw new Error(`"${id}" is not a ${types.join(' or ')} model`);
      return [id, parseSeconds(seconds)];
    });
    return { seconds: parseSeconds(first), byModel: Object.fromEntries(byModel) };
  };
}

/** The deadline for one model, in seconds. */
export function deadlineOf(deadline: Deadline, modelId: string): number {
  return deadline.byModel[modelId] ?? deadline.seconds;
}

function parseSeconds(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > maxDeadlineSeconds) {
    throw new Error(`"${text}" is not a number of seconds from 1 to ${maxDeadlineSeconds}`);
  }
  return seconds;
}
