import type { FailureCode } from '@framegate/contract';

/**
 * The meaning of a provider's response to an order.
 *
 * - `content`, `input`: the order itself is refused, so it fails.
 * - `key`, `account`, `region`, `model_gone`: the operator must correct something; the order itself is good.
 * - `busy`: the same order may be accepted later.
 * - `not_accepted`: refused before any work, for a reason that no rule names.
 * - `unknown`: the order may have been accepted.
 */
export const verdicts = [
  'content',
  'input',
  'key',
  'account',
  'region',
  'model_gone',
  'busy',
  'not_accepted',
  'unknown',
] as const;
/** One of these meanings. */
export type Verdict = (typeof verdicts)[number];

/** Whether only the operator's key, account or region is refused, so that job and model may be sound. */
export function isOfKey(verdict: Verdict): verdict is 'key' | 'account' | 'region' {
  return verdict === 'key' || verdict === 'account' || verdict === 'region';
}

/** Whether only the operator can do something about it. */
export function isOperatorsFault(verdict: Verdict): boolean {
  return verdict === 'model_gone' || isOfKey(verdict);
}

/** When a provider failed the work: before accepting the request, or afterwards. */
export type FailureStage = 'submit' | 'work';

/** Codes for the customer that a rule may name; only the gateway sets the others. */
const customerCodes = [
  'input_invalid',
  'input_rejected',
  'output_rejected',
  'real_person_rejected',
  'generation_failed',
] as const satisfies readonly FailureCode[];

/** The result of a rule for error texts: a code for the customer, or a verdict. */
export const ruleCodes = [...customerCodes, ...verdicts] as const;
/** The code that a rule gives to an error text. */
export type RuleCode = (typeof ruleCodes)[number];

/** A verdict, and the code for the customer if the order fails by it. */
export interface ErrorMeaning {
  verdict: Verdict;
  code: FailureCode | null;
  /** Whether a rule says so, not only the status. */
  isStated: boolean;
}

/** The meaning of a rule's code. Refused content is that of the input at submission, and that of the output later. */
function meaningOf(code: RuleCode, stage: FailureStage): Omit<ErrorMeaning, 'isStated'> {
  switch (code) {
    case 'content':
      return { verdict: code, code: stage === 'submit' ? 'input_rejected' : 'output_rejected' };
    case 'input_rejected':
    case 'output_rejected':
    case 'real_person_rejected':
      return { verdict: 'content', code };
    case 'input':
      return { verdict: code, code: 'input_invalid' };
    case 'input_invalid':
    case 'generation_failed':
      return { verdict: 'input', code };
    default:
      return { verdict: code, code: null };
  }
}

/** A tested meaning of a provider's error; everything that it states must hold. */
export interface DefaultRule {
  /** Pattern of its text. */
  match?: RegExp;
  /** HTTP status. */
  status?: number;
  code: RuleCode;
}

/** A meaning of an error text from the operator's ROUTES_FILE. */
export interface ErrorRule {
  /** Part of the provider's error code or message, ignoring case. */
  match: string;
  code: RuleCode;
}

/** The rules that apply to a provider's responses. */
export interface MeaningRules {
  /** Rules from the operator's ROUTES_FILE, which take precedence. */
  operatorRules: readonly ErrorRule[];
  /** Rules documented by this provider. */
  defaultRules: readonly DefaultRule[];
}

/** The words between a model and the statement about it: its name may contain dots; none may be about a file. */
const gap = String.raw`(?:(?!\s(?:image|video|audio|file|url|input|asset)s?\s)(?:[^.|]|\.(?!\s))){0,100}?`;
const modelIsGone = new RegExp(
  String.raw`\b(model|deployment|endpoint)\b${gap}\b(not found|does(n't| not) exist|no longer (available|supported|exists?|offered)|shut ?down|deprecated|retired|discontinued|sunset|decommissioned|not (been )?(activated|enabled|deployed))\b`,
  'i',
);

/**
 * Texts shared by many providers, in the order in which they are tried. Narrow, so that "unknown option
 * safety_checker" does not match; those for the operator apply only to refusals (see `interpretResponse`).
 */
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
  {
    match:
      /unsupported[_ ]country|\b(your|user'?s?|client'?s?) (country|region|territory|location)\b[^.|]{0,60}\b(not (supported|available|allowed)|unsupported|restricted|blocked)|\b(country|territory)\b[^.|]{0,40}\bnot (supported|available|allowed)|\b(not (available|supported|offered|allowed)|unavailable|unsupported|restricted|blocked)( for use)? in (your|this) (country|region|territory|location)/i,
    code: 'region',
  },
  {
    match:
      /insufficient[ _-]?(account[ _-]?)?(balance|credits?|funds|quota)|\b(balance|credits?|funds)\b[^.|]{0,30}\b(insufficient|exhausted|too low|not enough|depleted|used up)\b|\b(not enough|no remaining|out of|used all available|exhausted) (balance|credits?|funds)\b|exceeded your (current|monthly) (quota|usage|spend)|spending (limit|cap)\b|billing (hard )?limit|billing[_ ]hard[_ ]limit|billing (is )?(not (active|enabled)|disabled)|billing to be enabled|payment required|arrearage|account[ _]?overdue|overdue (payment|balance)|\baccount (is |has been )?(overdue|in arrears|suspended|locked|deactivated)\b|account is in good standing/i,
    code: 'account',
  },
  {
    match:
      /\bapi[ _-]?keys?\b[^.|]{0,40}\b(not valid|invalid|incorrect|expired|revoked|disabled|not found|missing|deleted|leaked)\b|\b(invalid|incorrect|expired|revoked|missing|wrong)[ _-](x-)?(api[ _-]?(key|token)|access[ _-]?(key|token)|bearer token|credentials?|auth(entication|orization)?( (key|token|header|credentials?))?)\b|invalidapikey|api_key_invalid|authentication[ _]?(failed|error|required)\b|\bnot authenticated\b|\bunauthenticated\b/i,
    code: 'key',
  },
  { match: modelIsGone, code: 'model_gone' },
  {
    match:
      /\bmodel[ _]?not[ _]?(found|open)|\b(unknown|invalid|no such) model\b|\b(no|not have) access to (the |this )?(model|endpoint)/i,
    code: 'model_gone',
  },
  {
    match:
      /rate[ _-]?limit|too many requests|\bthrottl|\boverloaded\b|(at|over|no) capacity\b|concurren\w{1,9} (request )?limit/i,
    code: 'busy',
  },
];

/** Statuses that decide by themselves, even next to words about content. */
const clearStatuses: readonly (number | null)[] = [401, 402, 429];

/** Characters that rules read of a text and of the customer's words: some take time by the square of the length. */
const maxCharacters = 5_000;

/** A provider's response. */
export interface ErrorResponse {
  /** HTTP status; null if the text came without a response. */
  status: number | null;
  /** The response's codes and messages. */
  text: string;
  /** Whether the body is the provider's own error, not a page of an intermediary. */
  isOwn: boolean;
  /** The customer's own words: a provider may repeat them, and they must not be read as the provider's. */
  words?: readonly string[];
}

/**
 * Reads a provider's response to an order: by the operator's rules, then those of the provider's documents, then the
 * common ones, then its status. The customer's own words never count against the operator.
 */
export function interpretResponse(
  response: ErrorResponse,
  stage: FailureStage,
  rules: MeaningRules,
): ErrorMeaning {
  const code = ruleFor(response, rules);
  return { ...meaningOf(code ?? verdictOfStatus(response), stage), isStated: code !== null };
}

function ruleFor(
  { status, isOwn, ...response }: ErrorResponse,
  { operatorRules, defaultRules }: MeaningRules,
): RuleCode | null {
  const text = response.text.slice(0, maxCharacters);
  const words = (response.words ?? []).map((each) => each.slice(0, maxCharacters));
  const lower = text.toLowerCase();
  const isQuoted = (part: string) => words.some((each) => each.toLowerCase().includes(part));
  const own = operatorRules.find(({ match, code }) => {
    const part = match.toLowerCase();
    return lower.includes(part) && (isOnOrder(code) || !isQuoted(part));
  });
  if (own) return own.code;
  const fits = ({ match, code, status: needed }: DefaultRule) =>
    (needed === undefined || needed === status) &&
    (!match || (match.test(text) && (isOnOrder(code) || !words.some((each) => match.test(each)))));
  const documented = defaultRules.find(fits)?.code ?? null;
  // Without a reason, the error text decides.
  if (documented !== null && documented !== 'not_accepted') return documented;
  const isClear = clearStatuses.includes(status);
  // A server error may follow the acceptance, so only documents decide about it.
  const mayAccuse = status === null || status < 300 ? isOwn : status >= 400 && status < 500;
  const isOfOperator = mayAccuse && !fetchesFile.test(text);
  const mayBeOnOrder = !isClear && documented === null;
  const common = commonRules.find(
    (rule) => (isOnOrder(rule.code) ? mayBeOnOrder : isOfOperator) && fits(rule),
  );
  return common?.code ?? documented;
}

/** Whether a code concerns only its order. */
function isOnOrder(code: RuleCode): boolean {
  const { verdict } = meaningOf(code, 'submit');
  return verdict === 'content' || verdict === 'input' || verdict === 'unknown';
}

/** A file's host has separate keys and accounts. */
const fetchesFile =
  /\b(download|fetch|retriev|load)\w*\b[^|]{0,40}\b(image|video|audio|file|url|media)/i;

const namesModel = /\b(model|endpoint|deployment)/i;
const namesFile = /\b(image|video|audio|file|url|input|asset)/i;
const namesAccount = /account|balance|billing|credits|overdue/i;
const namesKey = /api.?key/i;

/** Statuses 4xx that may follow an acceptance: the request took too long, collided with another, or came too early. */
const undecided: readonly number[] = [408, 409, 425];

/** The verdict of a status alone, for texts that no rule knows. */
function verdictOfStatus({ status, text, isOwn }: ErrorResponse): Verdict {
  if (status === 401) return 'key';
  if (status === 402) return 'account';
  if (status === 429) return 'busy';
  if (status === null || !isOwn || status < 400 || status >= 500) return 'unknown';
  if (undecided.includes(status)) return 'unknown';
  if (status === 413) return 'input';
  if (status === 404 || status === 410) {
    // A file may be one customer's.
    return namesFile.test(text) && !namesModel.test(text) ? 'not_accepted' : 'model_gone';
  }
  if (status !== 403) return 'not_accepted';
  if (namesModel.test(text)) return 'model_gone';
  if (namesAccount.test(text)) return 'account';
  return namesKey.test(text) ? 'key' : 'not_accepted';
}
