import type { Model } from '@framegate/contract';
import { pause } from '@framegate/limits';
import type { StoredOutput, StoreOutput } from '@framegate/media';
import type {
  ProviderInput,
  ProviderOutput,
  ProviderRequest,
  Route,
} from '@framegate/provider-routes';
import {
  compareDelivery,
  describeDifferences,
  type Difference,
} from '../../../domain/generations/delivery.ts';
import { expectedFormat, outputExtension } from '../../../domain/generations/mediaFiles.ts';
import { formatOperation } from '../../../domain/generations/providerTask.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { amountsOf, orderParameters, sizesOf } from '../../catalogue/modelOrders.ts';
import { expectedDelivery } from '../deliver/checkDelivery.ts';

/** Pause between two polls, in ms. */
const pollEveryMs = 2_000;

/** The result of a test order. */
export interface TestOrderResult {
  parameters: ProviderRequest['parameters'];
  mode: string | null;
  /** Time until the provider accepted it, and until its files were checked, in ms. */
  acceptedMs: number;
  finishedMs: number;
  files: Pick<StoredOutput, 'mediaType' | 'bytes' | 'measures'>[];
  /** Small differences between the files and the order. */
  differences: Difference[];
}

/** A picture for test orders. */
export type SamplePicture = Pick<ProviderInput, 'mediaType' | 'read' | 'url'>;

/** The prompt of a test order, and the id in place of a generation's. */
const sample = { generationId: 'gen_try', prompt: 'A quiet lake at dawn.' };

/** Inputs of a mode, from the fewest; null is the mode of images. */
function sampleInputs(mode: string | null, picture: SamplePicture): ProviderInput[][] {
  const [first, last, reference] = (['first_frame', 'last_frame', 'reference'] as const).map(
    (role): ProviderInput => ({ ...picture, type: 'image', role }),
  ) as [ProviderInput, ProviderInput, ProviderInput];
  if (mode === 'image-to-video') return [[first], [first, last]];
  if (mode === 'multimodal-to-video') return [[reference]];
  return mode === null ? [[], [reference]] : [[]];
}

/** An order with these parameters, and the fewest inputs of its mode. */
export function sampleRequest(
  type: Model['type'],
  mode: string | null,
  parameters: ProviderRequest['parameters'],
  picture: SamplePicture,
): ProviderRequest {
  const [inputs = []] = sampleInputs(mode, picture);
  return { ...sample, type, mode, inputs, parameters };
}

/**
 * The smallest orders that a route covers, of each mode of a model and with its sets of inputs, from the fewest;
 * without real people, and without sound where possible.
 */
export function smallestRequests(
  model: Model,
  route: Pick<Route, 'covers'>,
  picture: SamplePicture,
): ProviderRequest[] {
  const find = (mode: string | null, inputs: ProviderInput[]): ProviderRequest | null => {
    for (const amount of amountsOf(model)) {
      for (const size of sizesOf(model)) {
        const parameters = orderParameters(size, amount);
        const request = { ...sample, type: model.type, mode, inputs, parameters };
        if (route.covers(request)) return request;
      }
    }
    return null;
  };
  const modes = model.type === 'video' ? model.modes : [null];
  return modes.flatMap((mode) =>
    sampleInputs(mode, picture).flatMap((inputs) => find(mode, inputs) ?? []),
  );
}

/**
 * Places one order at a route, waits for its end, and checks its files like those of customers.
 * @param deps.report Receives each step as a sentence.
 * @throws Refusal `test_order_…` if the provider did not make it; the signal's reason on timeout.
 */
export async function placeTestOrder(
  deps: { storeOutput: StoreOutput; nowMs: () => number; report: (step: string) => void },
  route: Route,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<TestOrderResult> {
  const { nowMs, report } = deps;
  const startedAt = nowMs();
  const { parameters, mode } = request;
  // A provider may already know orders under this id.
  const order = { ...request, generationId: `${request.generationId}_${startedAt}` };
  report(`Ordering: ${JSON.stringify(parameters)}`);
  const key = route.keysInTurn?.()[0];
  const submission = await route.submit(order, signal, key);
  const acceptedMs = nowMs() - startedAt;
  if (submission.kind !== 'accepted' && submission.kind !== 'completed') {
    const { kind, note } = submission;
    throw new Refusal('test_order_rejected', { values: { kind, note } });
  }
  let outputs: ProviderOutput[];
  if (submission.kind === 'accepted') {
    const { operation } = submission;
    report(`Accepted after ${acceptedMs} ms: ${formatOperation(submission) ?? ''}`);
    outputs = await waitUntilFinished(deps, route, operation, order, { key, signal });
  } else {
    outputs = submission.outputs;
  }
  const format = expectedFormat(request);
  const files: TestOrderResult['files'] = [];
  for (const [index, output] of outputs.entries()) {
    const name = `outputs/gen_try/${index}.${outputExtension(format)}`;
    const expected = { accountId: 'operator', type: request.type, format };
    const { mediaType, bytes, measures } = await deps.storeOutput(name, output, expected, signal);
    files.push({ mediaType, bytes, measures });
  }
  const measures = files.map((file) => file.measures);
  const differences = compareDelivery(expectedDelivery(request, route), measures);
  for (const each of differences) report(`Not as ordered: ${describeDifferences([each])}`);
  if (differences.some(({ isGross }) => isGross)) {
    throw new Refusal('test_order_differs', {
      values: { differences: describeDifferences(differences) },
    });
  }
  return { parameters, mode, acceptedMs, finishedMs: nowMs() - startedAt, files, differences };
}

async function waitUntilFinished(
  { report }: { report: (step: string) => void },
  route: Route,
  operation: unknown,
  request: ProviderRequest,
  { key, signal }: { key: string | undefined; signal: AbortSignal },
): Promise<ProviderOutput[]> {
  for (;;) {
    const result = await route.poll(operation, request, signal, 'provider', key);
    if (result.kind === 'completed') return result.outputs;
    if (result.kind === 'failed') {
      throw new Refusal('test_order_failed', { values: { note: result.note } });
    }
    report(result.kind === 'pending' ? 'Not finished yet.' : `No response: ${result.note}`);
    await pause(pollEveryMs, signal);
    signal.throwIfAborted();
  }
}
