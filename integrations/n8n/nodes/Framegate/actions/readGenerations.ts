import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { read } from '../api/read';
import { apiRoot } from '../api/request';
import { generationIn } from '../api/responses';
import { isGenerationId } from '../generationId';
import { type ItemOptions, itemOptions } from './itemOptions';
import { type ItemContext, refusedValue } from './parseValues';
import { inOrder, planItems } from './planItems';
import { type CreatedItem, settle } from './settle';
import { present, type Run, startRun, waitAndPresent } from './waitAndPresent';

interface PlannedRead extends CreatedItem {
  options: ItemOptions;
}

/**
 * Reads the generations of all items in parallel.
 * @param waitsForEnd Whether to wait for the end; a failed generation is then an error, otherwise it is data.
 */
export async function readGenerations(
  context: IExecuteFunctions,
  waitsForEnd: boolean,
): Promise<INodeExecutionData[]> {
  const run = startRun(context);
  const { planned, refused } = await planItems(context, planRead);
  const generations = await settle(context, planned, (item) => readOne(run, item, waitsForEnd));
  return inOrder(refused, generations);
}

async function planRead(place: ItemContext): Promise<PlannedRead> {
  const { context, itemIndex } = place;
  const value: unknown = context.getNodeParameter('generationId', itemIndex, '', {
    extractValue: true,
  });
  const generationId = typeof value === 'string' ? value.trim() : '';
  if (!isGenerationId(generationId)) {
    const rule = 'must be the ID of a generation';
    const advice = 'Open Generation and use the field "id" from the output of a Create operation.';
    throw refusedValue(place, 'generationId', rule, value, advice);
  }
  const statusUrl = `${await apiRoot(context)}/generations/${generationId}`;
  return { itemIndex, generationId, statusUrl, options: itemOptions(place) };
}

async function readOne(
  run: Run,
  { itemIndex, generationId, options }: PlannedRead,
  waitsForEnd: boolean,
): Promise<INodeExecutionData> {
  const { context, signal, requestInTurn } = run;
  const deadline = Date.now() + options.timeoutSeconds * 1000;
  const path = `/generations/${generationId}`;
  const place = { itemIndex, generationId, ...(waitsForEnd && { deadline }) };
  const take = (body: unknown) => generationIn(body, generationId);
  const record = await requestInTurn(() => read(context, path, take, place, signal));
  if (!waitsForEnd) return present(run, record, { itemIndex, options });
  return waitAndPresent(run, record, { itemIndex, options, deadline });
}
