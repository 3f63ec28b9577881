import {
  type IDataObject,
  type INode,
  type INodeExecutionData,
  NodeApiError,
  NodeOperationError,
} from 'n8n-workflow';
import { detailsOf, type ShownError } from '../api/errorDetails';

/** Converts any thrown value to one of n8n's two kinds of error, which it shows with message and description. */
export function asNodeError(node: INode, error: unknown, itemIndex: number): ShownError {
  if (error instanceof NodeOperationError) return error;
  if (error instanceof NodeApiError) return error;
  const { message } =
    error instanceof Error ? error : { message: 'Something unexpected happened in this node' };
  return new NodeOperationError(node, error instanceof Error ? error : message, { itemIndex });
}

/**
 * The output for a failed item with On Error = Continue. n8n recognises a failed item by `json` having only `error`,
 * `message` and `details`: the error output then gets the input row with these fields added. A property `error` next to
 * `json` would make n8n replace `json` by the message alone, losing the id of a paid generation and the row.
 */
export function errorItem(
  error: ShownError,
  itemIndex: number,
  more: IDataObject = {},
): INodeExecutionData {
  const { message, description } = error;
  const details = { ...more, ...detailsOf(error), ...(description && { description }) };
  return { json: { error: message, details }, pairedItem: { item: itemIndex } };
}
