import { errorCodes, type ErrorCode, type ErrorDetail, type Problem } from '@framegate/contract';

/** What a refusal says beyond its code; all of it but `safetyRule` is shown to the caller. */
export interface RefusalParticulars {
  /** Replaces the catalogue's message. */
  message?: string;
  /** The field at fault, such as `inputs[1].url`. */
  param?: string;
  /** Every problem, where there may be several. */
  details?: readonly ErrorDetail[];
  /** Credits needed and there, for `insufficient_credits`. */
  credits?: { required: number; available: number };
  /** Whole seconds, sent as Retry-After. */
  retryAfterSeconds?: number;
  /** Further headers of the answer, such as Allow or RateLimit. */
  headers?: Readonly<Record<string, string>>;
  /** The operator's rule that a prompt broke: for the log only, because showing it would help to bypass it. */
  safetyRule?: string;
}

/**
 * An expected "no" to a request: a code of the shared catalogue, safe to show. Status, type and default
 * message belong to the code. The HTTP edges catch it: the API answers it as JSON, the pages as a page. A
 * person gets a `PlainRefusal` where there is no code for a program.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly credits: { required: number; available: number } | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly safetyRule: string | undefined;

  constructor(code: ErrorCode, particulars: RefusalParticulars = {}) {
    super(particulars.message ?? errorCodes[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.param = particulars.param;
    this.details = particulars.details ?? [];
    this.credits = particulars.credits;
    this.retryAfterSeconds = particulars.retryAfterSeconds;
    this.headers = particulars.headers ?? {};
    this.safetyRule = particulars.safetyRule;
  }
}

/**
 * The refusal for a body with these problems, at least one. Its message is that of the first, for callers
 * that show only the message.
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
 * An expected "no" to a person, in plain sentences: what is wrong, and what can be done about it. The use
 * cases of the command line, the console and the account site throw it. The command line prints it and
 * ends with status 1; the audit log keeps it as `refused`; a page shows it in its form, or alone. A
 * program gets a `Refusal` with a code instead.
 */
export class PlainRefusal extends Error {
  override readonly name = 'PlainRefusal';
  /** A sentence for each field at fault; empty where the message says it all. */
  readonly fields: Readonly<Record<string, string>>;
  /** HTTP status of the page that shows it. */
  readonly status: 400 | 403 | 413 | 429 | 503;
  /** Whole seconds, sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  /** @param problem A sentence, or one for each field at fault: then the message is empty. */
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

/** Throws the problems that there are, by field; entries without a sentence are none. @throws PlainRefusal */
export function requireNone(problems: Record<string, string | null>): void {
  const found = Object.entries(problems).filter((each): each is [string, string] => {
    return each[1] !== null;
  });
  if (found.length > 0) throw new PlainRefusal(Object.fromEntries(found));
}
