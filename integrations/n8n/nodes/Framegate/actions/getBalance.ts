import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { read } from '../api/read';
import type { Place } from './readValues';

/** The credits of the account, for an input item. */
export async function getBalance({ context, itemIndex }: Place): Promise<INodeExecutionData[]> {
  const signal = context.getExecutionCancelSignal();
  const balance = await read(context, '/credits/balance', { itemIndex }, signal);
  return [{ json: balance as IDataObject, pairedItem: { item: itemIndex } }];
}
