import type { Model } from '@framegate/contract';
import type { ProviderOutput, StoreOutput, StoredOutput } from '../ports/media.ts';
import type { ProviderInput, ProviderRequest, Route } from '../ports/providers.ts';
import { compareDelivery, differencesText, type Difference } from '../../domain/delivery.ts';
import { operationText } from '../../domain/operationText.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { pause } from '@framegate/limits';
import { orderOf } from './checkDelivery.ts';

/** Pause between two polls, in ms. */
const pollEveryMs = 2_000;

/** The result of a trial order. */
export interface Tried {
  parameters: ProviderRequest['parameters'];
  mode: string | null;
  /** Time until the provider accepted it, and until its files were checked, in ms. */
  acceptedMs: number;
  finishedMs: number;
  files: Pick<StoredOutput, 'mediaType' | 'bytes' | 'measured'>[];
  /** Small differences between the files and the order. */
  differences: Difference[];
}

/** The smallest order of a model that a route covers, without sound or real people, or null. */
export function smallestRequest(
  model: Model,
  route: Pick<Route, 'covers'>,
  picture: Pick<ProviderInput, 'mediaType' | 'read' | 'url'>,
): ProviderRequest | null {
  const common = { generationId: 'gen_try', prompt: 'A quiet lake at dawn.' };
  const image = (role: ProviderInput['role']): ProviderInput => ({
    ...picture,
    type: 'image',
    role,
  });
  const all = model.resolutions.flatMap((resolution) =>
    model.aspectRatios.map((aspect_ratio) => ({ resolution, aspect_ratio })),
  );
  if (model.type === 'image') {
    const more = { n: 1, output_format: 'png', seed: 1 } as const;
    const found = all
      .map((size) => ({
        ...common,
        type: 'image',
        mode: null,
        inputs: [],
        parameters: { ...size, ...more },
      }))
      .find((request) => route.covers(request as ProviderRequest));
    return (found as ProviderRequest | undefined) ?? null;
  }
  const inputsOf: Readonly<Record<string, ProviderInput[]>> = {
    'text-to-video': [],
    'image-to-video': [image('first_frame')],
    'multimodal-to-video': [image('reference')],
  };
  const { min, max } = model.duration;
  for (const mode of model.modes) {
    for (let seconds = min; seconds <= max; seconds += 1) {
      for (const size of all) {
        for (const generate_audio of [false, true]) {
          const more = { generate_audio, seed: 1, real_person_mode: false };
          const parameters = { ...size, ...more, duration_seconds: seconds };
          const inputs = inputsOf[mode] ?? [];
          const request = { ...common, type: 'video', mode, inputs, parameters } as ProviderRequest;
          if (route.covers(request)) return request;
        }
      }
    }
  }
  return null;
}

/**
 * Places one order at a route, waits for its end, and checks its files like those of customers.
 * @param deps.tell Receives each step as a sentence.
 * @throws PlainRefusal if the provider did not make it; the signal's reason on timeout.
 */
export async function tryRoute(
  deps: { storeOutput: StoreOutput; nowMs: () => number; tell: (step: string) => void },
  route: Route,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<Tried> {
  const { nowMs, tell } = deps;
  const startedAt = nowMs();
  const { parameters, mode } = request;
  tell(`Ordering: ${JSON.stringify(parameters)}`);
  const key = route.keysInTurn?.()[0];
  const submission = await route.submit(request, signal, key);
  const acceptedMs = nowMs() - startedAt;
  if (submission.kind !== 'accepted' && submission.kind !== 'completed') {
    throw new PlainRefusal(`The order was not made (${submission.kind}): ${submission.note}`);
  }
  let outputs: ProviderOutput[];
  if (submission.kind === 'accepted') {
    const { operation } = submission;
    tell(`Accepted after ${String(acceptedMs)} ms: ${operationText(submission) ?? ''}`);
    outputs = await untilFinished(deps, route, operation, request, { key, signal });
  } else outputs = submission.outputs;
  const format = 'output_format' in parameters ? `image/${parameters.output_format}` : 'video/mp4';
  const files: Tried['files'] = [];
  for (const [index, output] of outputs.entries()) {
    const name = `outputs/gen_try/${String(index)}.${format.replace(/^.*\//, '')}`;
    const wanted = { accountId: 'operator', type: request.type, format };
    const { mediaType, bytes, measured } = await deps.storeOutput(name, output, wanted, signal);
    files.push({ mediaType, bytes, ...(measured && { measured }) });
  }
  const measured = files.map((file) => file.measured ?? {});
  const differences = compareDelivery(orderOf(request, route), measured);
  for (const each of differences) tell(`Not as ordered: ${differencesText([each])}`);
  if (differences.some(({ gross }) => gross)) {
    throw new PlainRefusal(`The result is not what was ordered: ${differencesText(differences)}.`);
  }
  return { parameters, mode, acceptedMs, finishedMs: nowMs() - startedAt, files, differences };
}

async function untilFinished(
  { tell }: { tell: (step: string) => void },
  route: Route,
  operation: unknown,
  request: ProviderRequest,
  { key, signal }: { key: string | undefined; signal: AbortSignal },
): Promise<ProviderOutput[]> {
  for (;;) {
    const result = await route.poll(operation, request, signal, 'provider', key);
    if (result.kind === 'completed') return result.outputs;
    if (result.kind === 'failed') throw new PlainRefusal(`The provider failed: ${result.note}`);
    tell(result.kind === 'pending' ? 'Not finished yet.' : `No answer: ${result.note}`);
    await pause(pollEveryMs, signal);
    signal.throwIfAborted();
  }
}
