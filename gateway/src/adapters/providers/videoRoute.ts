import type {
  Experimental_VideoModelV4 as VideoModel,
  JSONValue,
  Experimental_VideoModelV4OperationStatusResult as StatusResult,
} from '@ai-sdk/provider';
import type {
  Look,
  OperationSource,
  ProviderRequest,
  Route,
  Submission,
} from '../../application/ports/route.ts';
import type { VideoParameters } from '@framegate/contract';
import { classifyLook } from './classifyLook.ts';
import { classifySubmit } from './classifySubmit.ts';
import type { VideoOrder } from './dialect.ts';
import { isAnswered, recordCall } from './exchanges.ts';
import type { RecordedCall } from './exchanges.ts';
import { lastAnswer } from './lastAnswer.ts';
import { InputUnreadable, withInputFiles } from './inputFiles.ts';
import type { PreparedInput } from './inputFiles.ts';
import { videoOutputs } from './modelOutputs.ts';
import { parseJson, staffNote } from './providerWords.ts';
import {
  inputNeeds,
  ownOptions,
  reportWarnings,
  unreadableInput,
  untilAborted,
} from './routeParts.ts';
import type { RouteParts } from './routeParts.ts';
import { covers } from './routeSupport.ts';
import { withinTime } from '../../application/ports/withinTime.ts';

/** A video model that works in two steps, as every provider of Framegate must. */
export type TwoStepVideoModel = VideoModel & Required<Pick<VideoModel, 'doStart' | 'doStatus'>>;

/** The longest that a submit may take, in ms; it may carry pictures. */
const submitMs = 120_000;
/** The longest that a look may take, in ms. */
const lookMs = 20_000;

/** A route to a video model behind the interface of `@ai-sdk/provider` (design section 7). */
export function createVideoRoute(model: TwoStepVideoModel, parts: RouteParts): Route {
  const { entry, support, voice, http, dialect } = parts;
  const { maxConcurrent, safeToRepeat } = parts;

  async function submit(request: ProviderRequest, signal: AbortSignal): Promise<Submission> {
    signal.throwIfAborted();
    const call = await recordCall(
      'submit',
      () =>
        withinTime(submitMs, signal, (abortSignal) =>
          withInputFiles(request.inputs, inputNeeds(parts), (inputs) => {
            const options = callOptions(request, inputs, parts);
            return untilAborted(model.doStart({ ...options, abortSignal }), abortSignal);
          }),
        ),
      { reference: safeToRepeat ? request.generationId : null },
    );
    const said = lastAnswer(call.exchanges, voice.apiKey);
    if (call.ok) {
      const lost = reportWarnings(call.value.warnings, request, parts);
      const { operation } = call.value;
      if (lost !== null) return { kind: 'undelivered', operation, note: lost, ...said };
      if (operation !== null) return { kind: 'accepted', operation, ...said };
    }
    if (signal.aborted) throw signal.reason;
    const error = call.ok ? new Error('no operation') : call.error;
    if (error instanceof InputUnreadable) return unreadableInput(error);
    const judged = classifySubmit({ error, exchanges: call.exchanges }, voice);
    return { ...judged, ...said };
  }

  async function look(
    operation: unknown,
    request: ProviderRequest,
    signal: AbortSignal,
    source: OperationSource = 'provider',
  ): Promise<Look> {
    signal.throwIfAborted();
    const call = await recordCall(
      'look',
      () =>
        withinTime(lookMs, signal, (abortSignal) =>
          untilAborted(
            model.doStatus({ operation: operation as JSONValue, abortSignal }),
            abortSignal,
          ),
        ),
      { isTyped: source === 'staff' },
    );
    if (signal.aborted && !call.ok) throw signal.reason;
    const judged = classifyLook(withReadEnd(call, parts), voice);
    if (judged.kind === 'pending') return judged;
    const said = lastAnswer(call.exchanges, voice.apiKey);
    if (judged.kind === 'completed') {
      const failed = { kind: 'failed', code: 'generation_failed', ...said } as const;
      const lost = reportWarnings(judged.warnings, request, parts);
      if (lost !== null) return { ...failed, note: lost };
      const outputs = videoOutputs(judged.files, http);
      if (outputs.length > 0) return { kind: 'completed', outputs, ...said };
      return { ...failed, note: 'finished without a file' };
    }
    return { ...judged, ...said };
  }

  return {
    ...{ provider: entry.provider, model: entry.model, weight: entry.weight },
    ...{ maxConcurrent, safeToRepeat },
    covers: (request) => covers(support, request),
    submit,
    look,
    ...(dialect.operationOf && {
      operationOf: (taskId: string) => dialect.operationOf?.(taskId, entry.model) ?? null,
    }),
  };
}

function callOptions(
  request: ProviderRequest,
  inputs: readonly PreparedInput[],
  parts: RouteParts,
): Parameters<TwoStepVideoModel['doStart']>[0] {
  const fileOf = (role: PreparedInput['role']) => inputs.find((each) => each.role === role)?.file;
  const order: VideoOrder = {
    model: parts.entry.model,
    support: parts.support,
    parameters: request.parameters as VideoParameters,
    firstFrame: fileOf('first_frame'),
    lastFrame: fileOf('last_frame'),
    references: inputs.filter(({ role }) => role === 'reference').map(({ file }) => file),
  };
  const { own, ...call } = parts.dialect.videoCall(order);
  return {
    ...call,
    ...{ prompt: request.prompt, n: 1, fps: undefined },
    providerOptions: ownOptions(parts, request, own),
  };
}

/** A job's end that the package could not read, put in the form that it should have had. */
function withReadEnd(
  call: RecordedCall<StatusResult>,
  { dialect }: Pick<RouteParts, 'dialect'>,
): RecordedCall<StatusResult> {
  const last = call.exchanges.at(-1);
  if (call.ok || !last || !isAnswered(last) || last.body === null) return call;
  const end = dialect.readEnd?.(parseJson(last.body));
  if (!end) return call;
  const response = { timestamp: new Date(0), modelId: '', headers: undefined };
  const value: StatusResult =
    'error' in end
      ? { status: 'error', error: staffNote([end.error], ''), response }
      : {
          ...{ status: 'completed', warnings: [], response },
          videos: end.urls.map((url) => ({ type: 'url', url, mediaType: 'video/mp4' })),
        };
  return { ok: true, value, exchanges: call.exchanges };
}
