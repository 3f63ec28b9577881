import type { FeedRestored } from '@framegate/contract/operator';
import { errorEntry, type AnyErrorCode, type ErrorDetail, type Problem } from '@framegate/contract';

/** The details of a refusal; the caller sees all of them except `safetyRule`. */
export interface RefusalParticulars {
  /** Replaces the code's default message. */
  message?: string;
  /** The field at fault, such as `inputs[1].url`. */
  param?: string;
  /** All problems, if there can be several. */
  details?: readonly ErrorDetail[];
  /** Credits needed and available, for `insufficient_credits`. */
  credits?: { required: number; available: number };
  /** Where to read a feed again, for `feed_restored`. */
  restored?: FeedRestored;
  /** Whole seconds, sent as Retry-After. */
  retryAfterSeconds?: number;
  /** Further headers of the answer, such as Allow or RateLimit. */
  headers?: Readonly<Record<string, string>>;
  /** The operator's rule that a prompt broke, for the log only: showing it would help to circumvent it. */
  safetyRule?: string;
}

/**
 * An expected refusal of a request, safe to show, with a code of the shared catalogue that sets status, type and
 * default message. The HTTP layer catches it: the API answers with JSON, the pages with a page. Refusals for people
 * without such a code are a `PlainRefusal`.
 */
export class Refusal extends Error {
  readonly code: AnyErrorCode;
  readonly param: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly credits: { required: number; available: number } | undefined;
  readonly restored: FeedRestored | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly safetyRule: string | undefined;

  constructor(code: AnyErrorCode, particulars: RefusalParticulars = {}) {
    super(particulars.message ?? errorEntry(code).message);
    this.name = 'Refusal';
    this.code = code;
    this.param = particulars.param;
    this.details = particulars.details ?? [];
    this.credits = particulars.credits;
    this.restored = particulars.restored;
    this.retryAfterSeconds = particulars.retryAfterSeconds;
    this.headers = particulars.headers ?? {};
    this.safetyRule = particulars.safetyRule;
  }
}

/**
 * The refusal of a body with at least one problem. Its message is the first problem's, for callers that show only the
 * message.
 */
export function invalidRequest(problems: readonly Problem[]): Refusal {
  const [first, ...others] = problems;
  if (first === undefined) throw new Error('a refusal needs a problem');
  const more = others.length === 0 ? '' : ` (${others.length} more in details)`;
  return new Refusal('invalid_request', {
    message: `${first.param}: ${first.message}${more}`,
    param: first.param,
    details: problems,
  });
}

/**
 * An expected refusal for a person, in plain sentences: the problem and its remedy. The use cases of the command line,
 * the console and the account site throw it. The command line prints it and exits with status 1; the audit log records
 * it as `refused`; a page shows it in its form or alone. Programs get a `Refusal` with a code instead.
 */
export class PlainRefusal extends Error {
  override readonly name = 'PlainRefusal';
  /** A sentence for each invalid field; empty if the message covers everything. */
  readonly fields: Readonly<Record<string, string>>;
  /** HTTP status of the page that shows it. */
  readonly status: 400 | 403 | 413 | 429 | 503;
  /** Whole seconds, sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  /** @param problem A sentence, or one for each invalid field; then the message is empty. */
  constructor(
    problem: string | Readonly<Record<string, string>>,
    status: PlainRefusal['status'] = 400,
    retryAfterSeconds?: number,
  ) {
    super(typeof problem === 'string' ? problem : '');
    this.fields = typeof problem === 'string' ? {} : problem;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The generation that was read by its id. @throws PlainRefusal if there is none. */
export function requireGeneration<T>(found: T | null, id: string): T {
  if (found === null) throw new PlainRefusal(`There is no generation ${id}.`);
  return found;
}

/** Throws if any field has a problem; null means none. @throws PlainRefusal */
export function requireNone(problems: Record<string, string | null>): void {
  const found = Object.entries(problems).filter((each): each is [string, string] => {
    return each[1] !== null;
  });
  if (found.length > 0) throw new PlainRefusal(Object.fromEntries(found));
}
