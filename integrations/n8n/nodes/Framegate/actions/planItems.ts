import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { asNodeError, errorItem } from './errorItem';
import type { ItemContext } from './parseValues';

/**
 * Reads and checks every item before the first request that creates or waits.
 * @param plan Plans one item.
 * @returns The valid items, and the refused ones in their output form.
 * @throws NodeApiError, NodeOperationError of the first refused item, unless On Error = Continue.
 */
export async function planItems<P>(
  context: IExecuteFunctions,
  plan: (place: ItemContext) => Promise<P>,
): Promise<{ planned: P[]; refused: INodeExecutionData[] }> {
  const planned: P[] = [];
  const refused: INodeExecutionData[] = [];
  for (const itemIndex of context.getInputData().keys()) {
    try {
      planned.push(await plan({ context, itemIndex }));
    } catch (error) {
      const nodeError = asNodeError(context.getNode(), error, itemIndex);
      if (!context.continueOnFail()) throw nodeError;
      refused.push(errorItem(nodeError, itemIndex));
    }
  }
  return { planned, refused };
}

/** All items in input order. */
export function inOrder(...items: INodeExecutionData[][]): INodeExecutionData[] {
  return items.flat().sort((a, b) => indexOf(a) - indexOf(b));
}

function indexOf({ pairedItem }: INodeExecutionData): number {
  return typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : 0;
}
