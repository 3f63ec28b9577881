import { type ErrorDetail, errorEntry, type Problem } from '@framegate/contract';
import type { FeedRestored } from '@framegate/contract/operator';
import type { RefusalValues } from './generated/refusalValues.ts';
import {
  type FieldRefusalCode,
  isInternalCode,
  paramOf,
  type RefusalCode,
} from './refusalCodes.ts';

/** Options of a refusal; the caller sees all of them except `safetyRule`. */
export interface RefusalOptions {
  /** Replaces the message that the APIs' contract has for the code. */
  message?: string;
  /** The field at fault, such as `inputs[1].url`; undefined for the code's own field. */
  param?: string | undefined;
  /** All problems of a body, if there can be several. */
  details?: readonly ErrorDetail[];
  /** The refusals of several fields of a form, each with its `param`. */
  problems?: readonly Refusal[];
  /** Credits needed and available, for `insufficient_credits`. */
  credits?: { required: number; available: number };
  /** Position from which to read a feed again, for `feed_restored`. */
  restored?: FeedRestored;
  /** Whole seconds, sent as Retry-After. */
  retryAfterSeconds?: number;
  /** Further headers of the response, such as Allow or RateLimit. */
  headers?: Readonly<Record<string, string>>;
  /** The operator's rule that a prompt broke, for the log only: showing it would help to circumvent it. */
  safetyRule?: string;
}

/** A code that is incomplete without the values of its text or its field. */
type OpenCode = keyof RefusalValues | FieldRefusalCode;

/** Arguments of a refusal: without the values or the field that its code needs, it does not compile. */
type RefusalArguments =
  | [code: Exclude<RefusalCode, OpenCode>, options?: RefusalOptions]
  | {
      [Code in OpenCode]: [
        code: Code,
        options: RefusalOptions &
          (Code extends keyof RefusalValues ? { values: RefusalValues[Code] } : unknown) &
          (Code extends FieldRefusalCode ? { param: string } : unknown),
      ];
    }[OpenCode];

/**
 * An expected refusal, safe to show: a code, and the values of its text. Each surface words it itself: the APIs by
 * their contracts, pages and emails by the texts `refusals.<code>` in the language of the person, and the command line
 * adds the command that helps. The audit log records it as `refused`.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly code: RefusalCode;
  readonly values: Readonly<Record<string, string | number>>;
  readonly param: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly problems: readonly Refusal[];
  readonly credits: { required: number; available: number } | undefined;
  readonly restored: FeedRestored | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly safetyRule: string | undefined;

  constructor(...[code, options = {}]: RefusalArguments) {
    super(options.message ?? (isInternalCode(code) ? code : errorEntry(code).message));
    this.code = code;
    this.values = 'values' in options ? options.values : {};
    this.param = options.param ?? paramOf(code);
    this.details = options.details ?? [];
    this.problems = options.problems ?? [];
    this.credits = options.credits;
    this.restored = options.restored;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.safetyRule = options.safetyRule;
  }
}

/**
 * The refusal of a body with at least one problem. Its message is the first problem's, for callers that show only
 * the message.
 */
export function invalidRequestRefusal(problems: readonly Problem[]): Refusal {
  const [first, ...others] = problems;
  if (first === undefined) throw new Error('a refusal needs a problem');
  const more = others.length === 0 ? '' : ` (${others.length} more in details)`;
  return new Refusal('invalid_request', {
    message: `${first.param}: ${first.message}${more}`,
    param: first.param,
    details: problems,
  });
}

/** The refusal of a single field of a body or a query. */
export function invalidFieldRefusal(
  param: string,
  code: Problem['code'],
  message: string,
): Refusal {
  return invalidRequestRefusal([{ param, code, message }]);
}

/** The generation that was read by its id. @throws Refusal `generation_not_found`. */
export function requireGeneration<T>(generation: T | null): T {
  if (generation === null) throw new Refusal('generation_not_found');
  return generation;
}

/**
 * Throws the problems of a form's fields; null stands for none.
 * @throws Refusal The only one, or `invalid_request` with its `problems`.
 */
export function refuseFields(...fields: readonly (Refusal | null)[]): void {
  const problems = fields.filter((each) => each !== null);
  const [first, ...others] = problems;
  if (first) throw others.length === 0 ? first : new Refusal('invalid_request', { problems });
}
