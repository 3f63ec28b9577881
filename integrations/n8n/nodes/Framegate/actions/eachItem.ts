import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { asNodeError, errorItem } from './errorItem';

/**
 * Runs a read for each input item, one after the other.
 * @throws NodeApiError, NodeOperationError of the first item that went wrong, unless On Error = Continue.
 */
export async function eachItem(
  context: IExecuteFunctions,
  work: (context: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
  const items: INodeExecutionData[] = [];
  for (const itemIndex of context.getInputData().keys()) {
    try {
      items.push(...(await work(context, itemIndex)));
    } catch (error) {
      const shown = asNodeError(context.getNode(), error, itemIndex);
      if (!context.continueOnFail()) throw shown;
      items.push(errorItem(shown, itemIndex));
    }
  }
  return items;
}
