import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { read } from '../api/read';

/** The credits of the account, for an input item. */
export async function getBalance(
  context: IExecuteFunctions,
  itemIndex: number,
): Promise<INodeExecutionData[]> {
  const signal = context.getExecutionCancelSignal();
  const balance = await read(context, '/credits/balance', { itemIndex }, signal);
  return [{ json: balance as IDataObject, pairedItem: { item: itemIndex } }];
}
