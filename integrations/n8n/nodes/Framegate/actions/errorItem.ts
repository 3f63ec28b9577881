import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

/** Any thrown value as one of n8n's two kinds of error, which it shows with message and description. */
export function asNodeError(
  node: INode,
  error: unknown,
  itemIndex: number,
): NodeApiError | NodeOperationError {
  if (error instanceof NodeOperationError) return error;
  if (error instanceof NodeApiError) return error;
  const { message } = error instanceof Error ? error : { message: 'Something unexpected happened' };
  return new NodeOperationError(node, error instanceof Error ? error : message, { itemIndex });
}

/**
 * What is handed on in place of an item that went wrong, with On Error = Continue. The field `error`
 * beside the item makes n8n send it to the error output.
 */
export function errorItem(
  error: NodeApiError | NodeOperationError,
  itemIndex: number,
  more: IDataObject = {},
): INodeExecutionData {
  return {
    json: {
      ...more,
      error: error.message,
      ...(error.description && { description: error.description }),
    },
    error,
    pairedItem: { item: itemIndex },
  };
}
