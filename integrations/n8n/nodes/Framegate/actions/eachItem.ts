import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { inOrder, planItems } from './planItems';
import type { ItemContext } from './parseValues';

/**
 * Runs a read for each input item, one after the other.
 * @throws NodeApiError, NodeOperationError of the first failed item, unless On Error = Continue.
 */
export async function eachItem(
  context: IExecuteFunctions,
  work: (place: ItemContext) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
  const { planned, refused } = await planItems(context, work);
  return inOrder(refused, ...planned);
}
