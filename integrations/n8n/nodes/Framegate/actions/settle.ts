import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import type { ShownError } from '../api/errorDetails';
import { StoppedError } from '../waiting/pause';
import { asNodeError, errorItem } from './errorItem';

/** An item with its generation. */
export interface CreatedItem {
  itemIndex: number;
  generationId: string;
  statusUrl: string;
}

/**
 * Finishes all items in parallel and waits for all of them, so that no paid generation is lost. Then a failed item
 * becomes data (On Error = Continue) or ends the node, naming the other generations. A stop ends it immediately.
 * @throws NodeApiError, NodeOperationError of the first failed item.
 */
export async function settle<C extends CreatedItem>(
  context: IExecuteFunctions,
  created: readonly C[],
  finish: (item: C) => Promise<INodeExecutionData>,
): Promise<INodeExecutionData[]> {
  const node = context.getNode();
  const results = await Promise.allSettled(created.map(finish));
  return results.map((result, index): INodeExecutionData => {
    const { itemIndex, generationId, statusUrl } = created[index] as C;
    if (result.status === 'fulfilled') return result.value;
    const reason: unknown = result.reason;
    if (reason instanceof StoppedError) throw stoppedError(context, created);
    const error = asNodeError(node, reason, itemIndex);
    if (!context.continueOnFail()) throw withOthers(error, created, itemIndex);
    return errorItem(error, itemIndex, { generation_id: generationId, status_url: statusUrl });
  });
}

/** Adds the generations of the other items to the description, so that no paid one is lost. */
export function withOthers<E extends ShownError>(
  error: E,
  created: readonly CreatedItem[],
  itemIndex: number,
): E {
  const others = created.filter((other) => other.itemIndex !== itemIndex);
  if (others.length === 0) return error;
  const list = others.map((other) => `item ${other.itemIndex}: ${other.generationId}`).join(', ');
  error.description = [error.description, `Also created by this run: ${list}.`]
    .filter(Boolean)
    .join(' ');
  return error;
}

function stoppedError(
  context: IExecuteFunctions,
  created: readonly CreatedItem[],
): NodeOperationError {
  const ids = created.map(({ generationId }) => generationId).join(', ');
  return new NodeOperationError(context.getNode(), 'The workflow was stopped', {
    description: `These generations continue at the service: ${ids}.`,
  });
}
