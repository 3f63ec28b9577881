import type { Model } from '@framegate/contract';
import { maxDeadlineSeconds } from '../domain/time/furthestTimes.ts';
import {
  commaSeparated,
  type ConfigProblem,
  parsedSetting,
  type ParsedValues,
  problemWith,
  wholeNumber,
} from './setting.ts';

const deadlineForm = { unit: 'seconds', allowed: 'seconds or seconds,model=seconds,…' } as const;

/** Settings of deadlines and retention. */
export const timeSettings = {
  WAITING_DEADLINE_SECONDS: parsedSetting(
    {
      ...deadlineForm,
      fallback: '21600',
      meaning: 'How long a generation may wait for a provider; then it fails and is refunded.',
    },
    parseDeadline,
  ),
  VIDEO_DEADLINE_SECONDS: parsedSetting(
    {
      ...deadlineForm,
      fallback: '3600',
      meaning: 'How long a video may run at a provider; then it fails and is refunded.',
    },
    parseDeadline,
  ),
  IMAGE_DEADLINE_SECONDS: parsedSetting(
    {
      ...deadlineForm,
      fallback: '600',
      meaning: 'How long images may run at a provider; then they fail and are refunded.',
    },
    parseDeadline,
  ),
  IDEMPOTENCY_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 31_536_000,
    fallback: '604800',
    unit: 'seconds',
    meaning:
      'How long an Idempotency-Key returns its generation. Customers are promised 7 days; with a shorter time, late retries are charged twice.',
  }),
  STOP_PAUSE_SECONDS: wholeNumber({
    min: 0,
    max: 300,
    fallback: '0',
    unit: 'seconds',
    meaning:
      'How long the API still accepts requests after SIGTERM, while `/readyz` returns 503: load balancers must notice within this time. `STOP_GRACE_SECONDS` starts afterwards.',
  }),
  STOP_GRACE_SECONDS: wholeNumber({
    min: 1,
    max: 3_600,
    fallback: '200',
    unit: 'seconds',
    meaning:
      'How long a process may finish requests and jobs at shutdown; image calls take up to 180. The orchestrator must wait longer before killing it.',
  }),
  OUTPUTS_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 31_536_000,
    fallback: '604800',
    unit: 'seconds',
    meaning: 'How long finished files are kept; Idempotency-Keys have a separate retention.',
  }),
  FAVOURITES_KEPT_SECONDS: wholeNumber({
    min: 0,
    max: 315_360_000,
    fallback: '0',
    unit: 'seconds',
    meaning:
      'How long finished files are kept if their owner marked them as favourites and this is longer than `OUTPUTS_KEPT_SECONDS`.',
  }),
  REFUSED_KEPT_SECONDS: wholeNumber({
    min: 0,
    max: 31_536_000,
    fallback: '86400',
    unit: 'seconds',
    meaning:
      'How long an undelivered result is kept for staff, who can deliver it anyway; never longer than prompts are kept. `0` keeps none.',
  }),
  PROMPTS_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 315_360_000,
    fallback: '2592000',
    unit: 'seconds',
    meaning: 'How long prompts and the URLs of inputs are kept after the end of a generation.',
  }),
  AUDIT_KEPT_SECONDS: wholeNumber({
    min: 1,
    max: 946_080_000,
    fallback: '94608000',
    unit: 'seconds',
    meaning: 'How long audit records of real-person mode are kept.',
  }),
};

/** A deadline in seconds, with exceptions for some models. */
export interface Deadline {
  seconds: number;
  byModel: Readonly<Record<string, number>>;
}

/** Parses `seconds` or `seconds,model=seconds,…`. @throws Error naming the problem. */
function parseDeadline(text: string): Deadline {
  const [first = '', ...rest] = commaSeparated(text);
  const byModel = rest.map((item): [string, number] => {
    const [id = '', seconds = ''] = item.split('=');
    return [id, parseSeconds(seconds)];
  });
  return { seconds: parseSeconds(first), byModel: Object.fromEntries(byModel) };
}

/** The types of models that each deadline applies to. */
const deadlineTypes = {
  WAITING_DEADLINE_SECONDS: ['video', 'image'],
  VIDEO_DEADLINE_SECONDS: ['video'],
  IMAGE_DEADLINE_SECONDS: ['image'],
} as const;

/**
 * Problems of deadlines for models that are not sold.
 * @param models Those of MODELS_FILE, or the built-in ones.
 */
export function deadlineProblems(
  values: { readonly [Setting in keyof typeof deadlineTypes]?: Deadline },
  models: readonly Pick<Model, 'id' | 'type'>[],
): ConfigProblem[] {
  return Object.entries(deadlineTypes).flatMap(([setting, types]) => {
    const { byModel = {} } = values[setting as keyof typeof deadlineTypes] ?? {};
    const fitting = models.filter(({ type }) => (types as readonly string[]).includes(type));
    const unknown = Object.keys(byModel).filter((id) => !fitting.some((each) => each.id === id));
    return unknown.map((id) =>
      problemWith(
        setting,
        `names "${id}", which is not a ${types.join(' or ')} model of MODELS_FILE or, without it, a built-in one.`,
      ),
    );
  });
}

/** Deadlines and retention periods. */
export interface TimeConfig {
  /** How long a generation may run, by type; use `deadlineOf`. */
  runningDeadlines: Readonly<Record<'video' | 'image', Deadline>>;
  /** How long a generation may wait; use `deadlineOf`. */
  waitingDeadline: Deadline;
  idempotencyKeptSeconds: number;
  outputsKeptSeconds: number;
  /** Retention of favourites, at least `outputsKeptSeconds`. */
  favouritesKeptSeconds: number;
  refusedKeptSeconds: number;
  promptsKeptSeconds: number;
  auditKeptSeconds: number;
}

/** Arranges the settings of deadlines and retention. */
export function arrangeTimes(values: ParsedValues<typeof timeSettings>): TimeConfig {
  return {
    runningDeadlines: {
      video: values.VIDEO_DEADLINE_SECONDS,
      image: values.IMAGE_DEADLINE_SECONDS,
    },
    waitingDeadline: values.WAITING_DEADLINE_SECONDS,
    idempotencyKeptSeconds: values.IDEMPOTENCY_KEPT_SECONDS,
    outputsKeptSeconds: values.OUTPUTS_KEPT_SECONDS,
    favouritesKeptSeconds: Math.max(values.OUTPUTS_KEPT_SECONDS, values.FAVOURITES_KEPT_SECONDS),
    refusedKeptSeconds: values.REFUSED_KEPT_SECONDS,
    promptsKeptSeconds: values.PROMPTS_KEPT_SECONDS,
    auditKeptSeconds: values.AUDIT_KEPT_SECONDS,
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
