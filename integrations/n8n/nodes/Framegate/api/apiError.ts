import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { ErrorBody } from '../generated/contract';
import type { ApiAnswer } from './request';

/** What the user was doing, and what they must not lose sight of. */
export interface ErrorPlace {
  itemIndex?: number;
  /** The generation that is already created, and perhaps paid. */
  generationId?: string;
  /** Key of a create whose outcome is not known. */
  idempotencyKey?: string;
}

type ApiProblem = Partial<ErrorBody['error']>;

/** The API's own account of a refusal; empty when something in between answered. */
export function problemOf({ body }: ApiAnswer): ApiProblem {
  const problem = (body as { error?: unknown } | undefined)?.error;
  return typeof problem === 'object' && problem !== null ? problem : {};
}

/**
 * An answer as n8n shows it: the message says what happened, the description what to do, which
 * generation it is about, and the request id for support.
 */
export function apiError(node: INode, answer: ApiAnswer, place: ErrorPlace = {}): NodeApiError {
  const problem = problemOf(answer);
  const { happened, advice } = told(answer, problem);
  const details = (problem.details ?? [])
    .map(({ param, message }) => `${param}: ${message}`)
    .filter((line) => problem.message?.includes(line.replace(/\.$/, '')) !== true);
  const { required, available } = problem.credits ?? {};
  const lines = [
    advice,
    ...details,
    required !== undefined && `Credits needed: ${required}. Available: ${available}.`,
    answer.status === 401 && keyAdvice,
    place.generationId !== undefined && createdAdvice(place.generationId),
    place.idempotencyKey !== undefined && unknownAdvice(place.idempotencyKey),
    problem.code !== undefined && `Code: ${problem.code}.`,
    problem.request_id !== undefined && `Request ID: ${problem.request_id}.`,
  ];
  const { itemIndex } = place;
  return new NodeApiError(node, (answer.body ?? {}) as JsonObject, {
    message: happened,
    description: lines.filter(Boolean).join(' '),
    httpCode: String(answer.status),
    ...(itemIndex !== undefined && { itemIndex }),
  });
}

const keyAdvice =
  'Put a valid key in the Framegate credential; keys are made on the page Settings > Public API of your account.';

const createdAdvice = (id: string) =>
  `Generation: ${id}. It goes on at the service and is not paid again: take it up with Generation > Wait or Get.`;

const unknownAdvice = (key: string) =>
  `The generation may have been created. Retry On Fail repeats it without paying twice; in a new execution, set the option Idempotency Key to ${key}.`;

function told(answer: ApiAnswer, problem: ApiProblem): { happened: string; advice: string } {
  if (problem.message !== undefined) return splitFirstSentence(problem.message);
  if (answer.status === 0) {
    return {
      happened: 'The service could not be reached',
      advice: `Check the base URL of the credential and your network. (${answer.reason ?? ''})`,
    };
  }
  return {
    happened: `The service answered with HTTP status ${answer.status}`,
    advice: 'Check the base URL of the credential: it ends in /v1.',
  };
}

/** First what happened, then what to do: so the API's messages are written. */
export function splitFirstSentence(text: string): { happened: string; advice: string } {
  const end = text.search(/\. [A-Z]/);
  if (end < 0) return { happened: text.replace(/\.$/, ''), advice: '' };
  return { happened: text.slice(0, end), advice: text.slice(end + 2) };
}
