import type { INodeExecutionData } from 'n8n-workflow';
import { read } from '../api/read';
import { balanceIn } from '../api/responses';
import type { ItemContext } from './parseValues';

/** The account's credits, for an input item. */
export async function getBalance({
  context,
  itemIndex,
}: ItemContext): Promise<INodeExecutionData[]> {
  const signal = context.getExecutionCancelSignal();
  const balance = await read(context, '/credits/balance', balanceIn, { itemIndex }, signal);
  return [{ json: { ...balance }, pairedItem: { item: itemIndex } }];
}
