import type { ImageModelV4 as ImageModel } from '@ai-sdk/provider';
import { type ImageParameters, wordsOf } from '@framegate/contract';
import { waitUnlessAborted, withTimeLimit } from '@framegate/limits';
import { sumOfCharges } from './charges.ts';
import { classifyFailure, classifyImages } from './classifyImages.ts';
import type { RefusedSubmission } from './classifySubmission.ts';
import { createParameterCheck, rehearse } from './droppedParameters.ts';
import { isAnswered, recordCall } from './exchanges.ts';
import { withInputFiles } from './inputFiles.ts';
import { detailsOf } from './modelOutputs.ts';
import { makeCalls } from './repeatedCalls.ts';
import type { ProviderRequest, Route, Submission } from './route.ts';
import {
  inputNeeds,
  ownOptions,
  recordHost,
  reportWarnings,
  routeOf,
  type RouteParts,
  unsent,
} from './routeParts.ts';
import { promisedFields } from './sendRules.ts';
import { showRequest } from './showRequest.ts';
import { type OrderCalls, writeCall } from './writeCall.ts';

const maxSeed = 2 ** 31 - 1;

type ImageOptions = Parameters<ImageModel['doGenerate']>[0];

/**
 * A route to an image model behind the interface of `@ai-sdk/provider`. A submission is the whole work. If a
 * call makes fewer images than ordered, several calls run in parallel, each with its own seed; the order
 * succeeds with all of them or not at all.
 */
export function createImageRoute(model: ImageModel, parts: RouteParts): Route {
  const { plan, dialect, safeToRepeat } = parts;
  const checkParameters = createParameterCheck(
    (options: ImageOptions) => model.doGenerate(options),
    promisedFields(plan.send),
  );

  const loadPerCall = async () => dialect.imagesPerCall ?? (await loadImagesPerCall(model));

  async function submit(request: ProviderRequest, signal: AbortSignal): Promise<Submission> {
    signal.throwIfAborted();
    const { n } = request.parameters as ImageParameters;
    try {
      const perCall = await loadPerCall();
      return await withTimeLimit(parts.imageTimes.callMs, signal, (bounded) =>
        withInputFiles(request.inputs, inputNeeds(parts), async (inputs) => {
          const call = writeCall({ ...request, type: 'image' }, inputs, plan);
          const all = batches(n, perCall);
          const [first] = all;
          if (parts.http && first) await checkParameters(optionsOf(request, call, first, bounded));
          const submissions = await makeCalls(
            all,
            (batch) => generate(request, call, batch, bounded),
            {
              pauseMs: parts.imageTimes.pauseMs,
              signal: bounded,
            },
          );
          return combine(submissions, signal);
        }),
      );
    } catch (error) {
      if (signal.aborted) throw error;
      const before = unsent(error, request, parts);
      if (before) return before;
      throw error;
    }
  }

  function optionsOf(
    request: ProviderRequest,
    { own, seed, ...call }: OrderCalls['image'],
    { first, n }: Batch,
    abortSignal: AbortSignal,
    entry = parts.entry,
  ): ImageOptions {
    return {
      ...call,
      prompt: request.prompt,
      n,
      mask: undefined,
      abortSignal,
      // Equal seeds would give equal images.
      seed: seed === undefined ? undefined : ((seed + first - 1) % maxSeed) + 1,
      providerOptions: ownOptions({ dialect, entry }, request, own),
    };
  }

  async function generate(
    request: ProviderRequest,
    order: OrderCalls['image'],
    batch: Batch,
    signal: AbortSignal,
  ): Promise<Submission> {
    const options = optionsOf(request, order, batch, signal);
    const call = await recordCall(
      'images',
      () => waitUnlessAborted(model.doGenerate(options), signal),
      {
        reference: safeToRepeat ? `${request.generationId}-${batch.first}` : null,
        inner: {
          parse: (response) => dialect.parseImagePoll?.(response) ?? 'usable',
          pauseMs: parts.imageTimes.pauseMs,
          signal,
        },
      },
    );
    const file = call.exchanges.findLast(({ isFile }) => isFile);
    if (file) recordHost(parts, file.host);
    const response = {
      ...(file && { fetch: { host: file.host, hasWorked: isAnswered(file) } }),
      ...detailsOf(call, parts.failureRules.apiKey, dialect.charges?.image),
    };
    if (!call.ok) {
      const failed = { ...call, words: wordsOf(request) };
      return { ...classifyFailure(failed, batch.n, parts), ...response };
    }
    const lost = reportWarnings(call.value.warnings, request, parts, options);
    if (lost !== null) return { kind: 'undelivered', operation: null, note: lost, ...response };
    return { ...classifyImages(call.value, batch.n, call.exchanges, parts), ...response };
  }

  /** The result of all calls, with the figures and charges reported by each. */
  function combine(submissions: readonly Submission[], signal: AbortSignal): Submission {
    const figures = submissions.flatMap(({ reported }) => reported ?? []);
    const all = { ...combineResults(submissions, signal), charged: sumOfCharges(submissions) };
    const { charged, ...whole } = all;
    return {
      ...whole,
      ...(figures.length > 1 && { reported: figures.join(' ').slice(0, 2_000) }),
      ...(charged && { charged }),
    };
  }

  /** Combines the calls; one unknown outcome makes the whole order's outcome unknown. */
  function combineResults(submissions: readonly Submission[], signal: AbortSignal): Submission {
    const unknown = submissions.find(({ kind }) => kind === 'unknown');
    const refusals = submissions.filter(
      (each): each is RefusedSubmission => each.kind === 'refused',
    );
    if ((unknown || refusals.length > 0) && signal.aborted) throw signal.reason;
    if (unknown) return unknown;
    const undelivered = submissions.find(({ kind }) => kind === 'undelivered');
    if (undelivered) return undelivered;
    const refusal = refusals.find(({ code }) => code !== null) ?? refusals[0];
    if (refusal) {
      const count = `${submissions.length - refusals.length} of ${submissions.length} calls made`;
      const note = submissions.length === 1 ? refusal.note : `${count}; ${refusal.note}`;
      if (refusals.length === submissions.length) {
        return { ...refusal, isBusy: refusals.some(({ isBusy }) => isBusy), note };
      }
      // A part is made and paid for: repeating the whole order, here or elsewhere, would pay for it twice.
      return { ...refusal, code: refusal.code ?? 'generation_failed', isBusy: false, note };
    }
    const all = submissions as readonly Extract<Submission, { kind: 'completed' }>[];
    const outputs = all.flatMap((each) => each.outputs);
    return { ...all.at(-1), kind: 'completed', outputs };
  }

  const show = (request: ProviderRequest, signal: AbortSignal) =>
    withInputFiles(request.inputs, inputNeeds(parts), async (inputs) => {
      const { n } = request.parameters as ImageParameters;
      const call = writeCall({ ...request, type: 'image' }, inputs, plan);
      const [first = { first: 0, n: 1 }] = batches(n, await loadPerCall());
      return showRequest(
        (entry) => rehearse(() => model.doGenerate(optionsOf(request, call, first, signal, entry))),
        () => checkParameters(optionsOf(request, call, first, signal)),
        parts,
      );
    });

  return {
    ...(parts.http && { show }),
    ...routeOf(parts, async (parameters) =>
      Math.ceil((parameters as ImageParameters).n / (await loadPerCall())),
    ),
    submit,
    poll: async () => ({ kind: 'fault', note: 'image calls have nothing to poll' }),
  };
}

/** One call of an order: its first image, and the number of images. */
interface Batch {
  first: number;
  n: number;
}

function batches(n: number, perCall: number): Batch[] {
  const calls = Math.ceil(n / perCall);
  return Array.from({ length: calls }, (_, index) => ({
    first: index * perCall,
    n: Math.min(perCall, n - index * perCall),
  }));
}

async function loadImagesPerCall({ maxImagesPerCall, modelId }: ImageModel): Promise<number> {
  const stated =
    typeof maxImagesPerCall === 'function' ? await maxImagesPerCall({ modelId }) : maxImagesPerCall;
  return Math.max(1, stated ?? 1);
}
