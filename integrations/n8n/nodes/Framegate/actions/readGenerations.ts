import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { read } from '../api/read';
import { isGenerationId } from '../generationId';
import type { GenerationRecord } from '../generated/contract';
import { itemOptions } from './itemOptions';
import { settle } from './settle';
import { present, startRun, waitAndPresent } from './waitAndPresent';
import type { Run } from './waitAndPresent';

/**
 * Reads the generation of each item, side by side.
 * @param untilEnded Whether to wait for its end; a failed one is then an error. Otherwise it is data.
 */
export async function readGenerations(
  context: IExecuteFunctions,
  untilEnded: boolean,
): Promise<INodeExecutionData[]> {
  const run = startRun(context);
  const items = context.getInputData().map((_, itemIndex) => ({
    itemIndex,
    generationId: String(
      context.getNodeParameter('generationId', itemIndex, '', { extractValue: true }),
    ).trim(),
  }));
  return settle(context, items, (item) => readOne(run, item, untilEnded));
}

async function readOne(
  run: Run,
  { itemIndex, generationId }: { itemIndex: number; generationId: string },
  untilEnded: boolean,
): Promise<INodeExecutionData> {
  const { context, signal, requestInTurn } = run;
  if (!isGenerationId(generationId)) {
    throw new NodeOperationError(context.getNode(), 'This is not the ID of a generation', {
      description: `Use the field "id" of the item that a Create operation made. Given: "${generationId}".`,
      itemIndex,
    });
  }
  const options = itemOptions(context, itemIndex);
  const deadline = Date.now() + options.timeoutSeconds * 1000;
  const path = `/generations/${generationId}`;
  const place = { itemIndex, generationId };
  const record = (await requestInTurn(() =>
    read(context, path, place, signal),
  )) as GenerationRecord;
  if (!untilEnded) return present(run, record, { itemIndex, options });
  return waitAndPresent(run, record, { itemIndex, options, deadline }, async () => undefined);
}
