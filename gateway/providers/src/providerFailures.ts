import type { FailureCode } from '@framegate/contract';
import { redactNote } from './redact.ts';
import { fieldsOf, parseJson } from './unknownJson.ts';
import type { Exchange } from './exchanges.ts';
import type { ErrorRule } from './configuredRoutes.ts';
import type { ResultFlag } from './resultFlags.ts';

/** Rules for interpreting a provider's failures. */
export interface FailureRules {
  /** Removed from notes. */
  apiKey: string;
  /** Meanings of its error texts from the operator's ROUTES_FILE, which take precedence. */
  operatorRules: readonly ErrorRule[];
  /** Meanings of its error texts, as tested with this provider. */
  defaultRules: readonly DefaultRule[];
  /** Fields beside a finished result that mean a refusal of its content. */
  flags?: readonly ResultFlag[] | undefined;
  /** Error codes meaning that the work was not accepted, with any HTTP status. */
  declaredRefusal?: RegExp | undefined;
  /**
   * Error codes below 500, also in an answer with 200, meaning that the provider refused an order before any
   * work (see `classifySubmission`).
   */
  refusedBeforeWork?: RegExp | undefined;
  /**
   * Whether an answer to a poll is the verdict on the job, for packages that report every trouble as a failed job. If
   * absent, every JSON answer with a success status is.
   */
  isVerdict?: ((exchange: Exchange) => boolean) | undefined;
  /** Set for a local renderer, whose errors are verdicts without HTTP. */
  isLocal?: boolean | undefined;
}

/**
 * A tested default: a match means `code`; `content` is a refusal of unspecified content, which means the input
 * at submission and the output later.
 */
export interface DefaultRule {
  match: RegExp;
  code: FailureCode | 'content';
}

/** When a provider failed the work: before accepting the request, or afterwards. */
export type FailureStage = 'submit' | 'work';

/** Texts about content shared by many providers; narrow, so that "unknown option safety_checker" does not match. */
const commonRules: readonly DefaultRule[] = [
  {
    match: /may contain (a )?real (person|people)|real[- ]person|celebrit|public figure/i,
    code: 'real_person_rejected',
  },
  {
    match:
      /content[_ -]?(policy|moderation|filter)|moderation[_ ](blocked|failed|rejected)|safety (system|filter|policy|violation)|\bnsfw\b|flagged as (sensitive|inappropriate)|usage guidelines|responsible ai|inappropriate content|prohibited content/i,
    code: 'content',
  },
];

/**
 * The failure code of an error text: by the operator's rules first, then the provider's tested defaults, then
 * the common ones. Null without a match.
 */
export function failureCodeOf(
  text: string,
  stage: FailureStage,
  rules: Pick<FailureRules, 'operatorRules' | 'defaultRules'>,
): FailureCode | null {
  const lower = text.toLowerCase();
  const own = rules.operatorRules.find(({ match }) => lower.includes(match.toLowerCase()));
  if (own) return own.code;
  const found = [...rules.defaultRules, ...commonRules].find(({ match }) => match.test(text));
  if (found?.code !== 'content') return found?.code ?? null;
  return stage === 'submit' ? 'input_rejected' : 'output_rejected';
}

/** Fields of an error body with the reason; all others may echo the customer's prompt or our URLs. */
const reasonField =
  /^(errors?|error_?type|err_?code|code|detail|details|message|msg|reason|reasons|type|status|title|task_status|base_resp|status_code|status_msg|failure|fail(?:ure)?_?reason|block_?reason|finish_?reason|promptfeedback|candidates|output|response|generatevideoresponse|raimediafilteredreasons|raimediafilteredcount)$/i;

const maxCharacters = 1000;
const maxDepth = 8;

/**
 * The codes and messages of a provider's JSON answer about a failure, joined; empty for non-JSON such as a
 * proxy's HTML. For rules and for staff, never for customers.
 */
export function failureTextOf(body: string | null): string {
  return cut([...reasonsIn(parseJson(body ?? ''), maxDepth)].join(' | '));
}

function* reasonsIn(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || value === null) return;
  if (typeof value === 'string' || typeof value === 'number') yield String(value);
  else if (Array.isArray(value)) for (const each of value) yield* reasonsIn(each, depth - 1);
  else if (typeof value === 'object') {
    for (const [key, each] of Object.entries(value)) {
      if (reasonField.test(key)) yield* reasonsIn(each, depth - 1);
    }
  }
}

/** Whether an answer is an error in the provider's own form, not a page of an intermediary. */
export function isOwnErrorBody(body: string | null): boolean {
  return Object.keys(fieldsOf(parseJson(body ?? ''))).some((key) =>
    /^(errors?|error_?type|detail|details|message|msg|code)$/i.test(key),
  );
}

/** The message of an error, shortened. */
export function messageOf(error: unknown): string {
  return cut(String(fieldsOf(error)['message'] ?? error));
}

/** A note for staff: shortened, without URLs (they may contain keys) and without the provider's key. */
export function staffNote(parts: readonly (string | null)[], apiKey: string): string {
  const text = parts.filter((part) => part !== null && part !== '').join(': ');
  return cut(redactNote(text, apiKey));
}

/** The same about a request: its status, its failure, and a text. */
export function noteOf(last: Partial<Exchange> | undefined, text: string, apiKey: string): string {
  return staffNote([last?.status?.toString() ?? null, last?.failure ?? null, text], apiKey);
}

function cut(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
