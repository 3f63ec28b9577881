import { type IDataObject, type INode, type JsonObject, NodeApiError } from 'n8n-workflow';
import type { ErrorBody, ErrorCode, ErrorDetail } from '../generated/contract';
import { withDetails } from './errorDetails';
import type { ApiResponse } from './request';
import { fieldsOf } from './responses';
import {
  type Explanation,
  foreignResponse,
  inEditorWords,
  labelOf,
  describeRefusal,
  unreachable,
} from './words';

/** The user's call, and the generation and key that must not be lost. */
export interface ErrorContext {
  itemIndex?: number;
  /** The generation that was already created and possibly charged. */
  generationId?: string | undefined;
  /** Key of a create request with an unknown outcome. */
  idempotencyKey?: string;
  /** Whether a create request certainly had no effect although no response arrived. */
  createdNothing?: boolean;
}

type ApiProblem = Partial<ErrorBody['error']>;

/** The API's description of a refusal; empty if something else answered. */
export function problemOf({ body }: ApiResponse): ApiProblem {
  const { code, message, param, details, credits, retryable, request_id } =
    fieldsOf(fieldsOf(body)?.['error']) ?? {};
  const { required, available } = fieldsOf(credits) ?? {};
  const sums =
    typeof required === 'number' && typeof available === 'number'
      ? { required, available }
      : undefined;
  return {
    ...(typeof code === 'string' && { code: code as ErrorCode }),
    ...(typeof message === 'string' && { message }),
    ...(typeof param === 'string' && { param }),
    ...(Array.isArray(details) && { details: details.filter(isDetail) }),
    ...(sums !== undefined && { credits: sums }),
    ...(typeof retryable === 'boolean' && { retryable }),
    ...(typeof request_id === 'string' && { request_id }),
  };
}

function isDetail(detail: unknown): detail is ErrorDetail {
  const { param, message } = fieldsOf(detail) ?? {};
  return typeof param === 'string' && typeof message === 'string';
}

/**
 * A response in n8n's form: the message states what happened; the description gives the advice, the generation, and the
 * request id for support.
 */
export function apiError(
  node: INode,
  response: ApiResponse,
  place: ErrorContext = {},
): NodeApiError {
  const problem = problemOf(response);
  const problems = fieldsAtFault(problem);
  const { happened, advice } = explanationOf(response, problem, problems);
  const { required, available } = problem.credits ?? {};
  const lines = [
    advice,
    ...problems.slice(problem.code === 'invalid_request' ? 1 : 0),
    required !== undefined && `Credits needed: ${required}. Available: ${available}.`,
    place.createdNothing === true && 'Nothing was created.',
    place.generationId !== undefined && createdAdvice(place.generationId),
    place.idempotencyKey !== undefined && unknownAdvice(place.idempotencyKey),
    problem.code !== undefined && `Code: ${problem.code}.`,
    problem.request_id !== undefined && `Request ID: ${problem.request_id}.`,
  ];
  const { itemIndex } = place;
  const error = new NodeApiError(node, (fieldsOf(response.body) ?? {}) as JsonObject, {
    message: happened,
    description: lines.filter(Boolean).join(' '),
    httpCode: String(response.status),
    ...(itemIndex !== undefined && { itemIndex }),
  });
  return withDetails(error, detailsOf(response, problem, place));
}

function detailsOf({ status }: ApiResponse, problem: ApiProblem, place: ErrorContext): IDataObject {
  return {
    generation_id: place.generationId,
    idempotency_key: place.idempotencyKey,
    code: problem.code,
    http_status: status === 0 ? undefined : status,
    retryable: problem.retryable,
    credits_required: problem.credits?.required,
    credits_available: problem.credits?.available,
    request_id: problem.request_id,
  };
}

const createdAdvice = (id: string) =>
  `Generation: ${id}. It continues at the service and is not charged again: resume it with Generation > Wait or Get.`;

const unknownAdvice = (key: string) =>
  `The generation may have been created. Retry On Fail repeats it without paying twice; in a new execution, open Options and set Idempotency Key to ${key}.`;

/** The fields at fault, such as "Duration (Seconds): alpha-2.0-mini takes 3 to 15 seconds." */
function fieldsAtFault({ details = [], param, code }: ApiProblem): string[] {
  if (details.length === 0) {
    return typeof param === 'string' && code !== 'invalid_request' && param !== ''
      ? [`Field: ${labelOf(param)}.`]
      : [];
  }
  return details.map(({ param: at, message }) => `${labelOf(at)}: ${inEditorWords(message)}`);
}

function explanationOf(
  response: ApiResponse,
  problem: ApiProblem,
  problems: readonly string[],
): Explanation {
  const [first] = problems;
  if (problem.code === 'invalid_request' && first !== undefined) {
    return { happened: first.replace(/\.$/, ''), advice: '' };
  }
  if (problem.message !== undefined) return describeRefusal(problem.code, problem.message);
  return response.status === 0 ? unreachable(response.reason) : foreignResponse(response.status);
}
