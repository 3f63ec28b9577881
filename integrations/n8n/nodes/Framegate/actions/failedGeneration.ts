import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { splitFirstSentence } from '../api/apiError';
import type { GenerationRecord } from '../generated/contract';

/** A generation that ended without a result, as n8n shows it. */
export function failedGeneration(
  node: INode,
  record: GenerationRecord,
  itemIndex: number,
): NodeOperationError {
  const { error, billing, id, type } = record;
  const { happened, advice } = splitFirstSentence(error?.message ?? `The ${type} was not made.`);
  const lines = [
    advice,
    error?.param && `Input: ${error.param}.`,
    billing.refunded_credits !== undefined && `Credits refunded: ${billing.refunded_credits}.`,
    `Generation: ${id}.`,
    error && `Code: ${error.code}.`,
  ];
  return new NodeOperationError(node, happened, {
    description: lines.filter(Boolean).join(' '),
    itemIndex,
  });
}

/** A wait that ended before the generation did, where the user wants that to stop the node. */
export function stillRunning(
  node: INode,
  record: GenerationRecord,
  itemIndex: number,
): NodeOperationError {
  return new NodeOperationError(node, `The ${record.type} is not finished yet (${record.id})`, {
    description: `The timeout was reached while it was ${record.status}. It goes on at the service and is not paid again: take it up with Generation > Wait or Get. Generation: ${record.id}.`,
    itemIndex,
  });
}
