import { type INode, NodeOperationError } from 'n8n-workflow';
import { withDetails } from '../api/errorDetails';
import { describeFailure, labelOf } from '../api/words';
import type { GenerationRecord } from '../generated/contract';

/**
 * A generation that ended without a result, in n8n's form.
 * @param ownKey The user's own Idempotency Key: the API returns it with this failure for as long as keys are kept, so
 * "try again" would be bad advice.
 */
export function failedGeneration(
  node: INode,
  record: GenerationRecord,
  { itemIndex, ownKey }: { itemIndex: number; ownKey?: string | undefined },
): NodeOperationError {
  const { error, billing, id, type } = record;
  const message = error?.message ?? `The ${type} was not created.`;
  const { happened, advice } = describeFailure(error?.code, message);
  const isRetryable = error?.retryable === true;
  const lines = [
    advice,
    ownKey !== undefined && ownKeyAdvice(ownKey, isRetryable),
    ownKey === undefined && isRetryable && 'Run the workflow again to create a new one.',
    error?.param && `Field: ${labelOf(error.param)}.`,
    billing.refunded_credits !== undefined && `Credits refunded: ${billing.refunded_credits}.`,
    `Generation: ${id}.`,
    error && `Code: ${error.code}.`,
  ];
  const nodeError = new NodeOperationError(node, happened, {
    description: lines.filter(Boolean).join(' '),
    itemIndex,
  });
  return withDetails(nodeError, {
    generation_id: id,
    generation_status: record.status,
    code: error?.code,
    retryable: error?.retryable,
    refunded_credits: billing.refunded_credits,
    idempotency_key: ownKey,
  });
}

function ownKeyAdvice(key: string, isRetryable: boolean): string {
  const orAttempts = isRetryable ? ', or raise the option Attempts for Failed Generations' : '';
  return `The Idempotency Key ${key} returns this same result for 7 days: to create it again, open Options and enter another key${orAttempts}.`;
}

/** A wait that ended before the generation, if the user chose to stop the node in that case. */
export function stillRunning(
  node: INode,
  record: GenerationRecord,
  itemIndex: number,
): NodeOperationError {
  const { id, status, type } = record;
  const nodeError = new NodeOperationError(node, `The ${type} is not finished yet (${id})`, {
    description: `The timeout was reached while it was ${status}. It continues at the service and is not charged again: resume it with Generation > Wait or Get. Generation: ${id}.`,
    itemIndex,
  });
  return withDetails(nodeError, { generation_id: id, generation_status: status, timed_out: true });
}
