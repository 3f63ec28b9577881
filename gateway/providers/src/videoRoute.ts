import type {
  Experimental_VideoModelV4 as VideoModel,
  Experimental_VideoModelV4OperationStatusResult as StatusResult,
  JSONValue,
} from '@ai-sdk/provider';
import { minuteMs, wordsOf } from '@framegate/contract';
import { waitUnlessAborted, withSilenceLimit, withTimeLimit } from '@framegate/limits';
import { classifyPoll } from './classifyPoll.ts';
import { classifySubmission } from './classifySubmission.ts';
import { createParameterCheck, rehearse } from './droppedParameters.ts';
import {
  type Exchange,
  isAnswered,
  recordCall,
  type RecordedCall,
  retryRequestIn,
} from './exchanges.ts';
import { type PreparedInput, withInputFiles } from './inputFiles.ts';
import { finishedEnd } from './jobEnd.ts';
import { detailsOf, videoOutputs } from './modelOutputs.ts';
import { cancelJob } from './ownRequests.ts';
import { isOwnErrorBody, staffNote } from './providerFailures.ts';
import { redactHandle } from './redact.ts';
import type { OperationSource, PollResult, ProviderRequest, Route, Submission } from './route.ts';
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
import { otherTaskIn, taskIdOf } from './taskId.ts';
import { parseJson } from './unknownJson.ts';
import { noResponse } from './unreadableResponse.ts';
import { writeCall } from './writeCall.ts';

/** A video model with separate start and status calls, as required of every provider. */
export type TwoStepVideoModel = VideoModel & Required<Pick<VideoModel, 'doStart' | 'doStatus'>>;

type StartOptions = Parameters<TwoStepVideoModel['doStart']>[0];

/** Time limit of a submission, in ms; it may include pictures. */
const submitMs = 2 * minuteMs;
/** Longest silence in a response to a poll, in ms, and its slowest pace: it may contain the whole file. */
const pollLimits = { silenceMs: minuteMs, minBytesPerSecond: 32 * 1024 };

/** A route to a video model behind the interface of `@ai-sdk/provider`. */
export function createVideoRoute(model: TwoStepVideoModel, parts: RouteParts): Route {
  const { api, entry, failureRules, http, dialect, safeToRepeat } = parts;
  const checkParameters = createParameterCheck(
    (options: StartOptions) => model.doStart(options),
    promisedFields(parts.plan.send),
  );

  async function submit(request: ProviderRequest, signal: AbortSignal): Promise<Submission> {
    signal.throwIfAborted();
    let startOptions: StartOptions | undefined;
    const call = await recordCall(
      'submit',
      () =>
        withTimeLimit(submitMs, signal, (abortSignal) =>
          withInputFiles(request.inputs, inputNeeds(parts), async (inputs) => {
            const options = callOptions(request, inputs, parts);
            startOptions = { ...options, abortSignal };
            if (http) await checkParameters(startOptions);
            return waitUnlessAborted(model.doStart(startOptions), abortSignal);
          }),
        ),
      { model: entry.model, reference: safeToRepeat ? request.generationId : null },
    );
    const response = detailsOf(call, failureRules.apiKey, dialect.charges?.video);
    if (call.ok) {
      const lost = reportWarnings(call.value.warnings, request, parts, startOptions);
      const { operation } = call.value;
      const handle = { operation, ...redactHandle(operation, failureRules.apiKey) };
      if (lost !== null) return { kind: 'undelivered', ...handle, note: lost, ...response };
      if (operation !== null) return { kind: 'accepted', ...handle, ...response };
    }
    if (signal.aborted) throw signal.reason;
    const error = call.ok ? new Error('no operation') : call.error;
    const before = unsent(error, request, parts);
    if (before) return before;
    const { exchanges } = call;
    const failed = { error, exchanges, words: wordsOf(request) };
    const submission = classifySubmission(failed, failureRules);
    return { ...submission, ...response };
  }

  async function poll(
    operation: unknown,
    request: ProviderRequest,
    signal: AbortSignal,
    source: OperationSource = 'provider',
  ): Promise<PollResult> {
    signal.throwIfAborted();
    const call = await withSilenceLimit(pollLimits, signal, (abortSignal, heard) =>
      recordCall(
        'poll',
        () =>
          waitUnlessAborted(
            model.doStatus({ operation: operation as JSONValue, abortSignal }),
            abortSignal,
          ),
        { isTyped: source === 'staff', recordAnswer: heard },
      ),
    );
    if (signal.aborted && !call.ok) throw signal.reason;
    const result = classifyPoll(withReadEnd(call, parts), failureRules);
    const again = retryRequestIn(call.exchanges);
    if (result.kind === 'pending') return { ...result, ...again };
    const response = detailsOf(call, failureRules.apiKey, dialect.charges?.video);
    const other = otherTaskIn(call.exchanges.at(-1), operation, dialect.task);
    if (other !== null) {
      const note = staffNote([`the response is about another task, ${other}`], failureRules.apiKey);
      return { kind: 'fault', note, ...again, ...response };
    }
    if (result.kind === 'completed') {
      const lost = reportWarnings(result.warnings, request, parts);
      if (lost !== null) {
        return { kind: 'failed', code: 'generation_failed', note: lost, ...response };
      }
      const outputs = videoOutputs(result.files, http, api?.presentForFile);
      for (const { host } of outputs) if (host !== undefined) recordHost(parts, host);
      return { kind: 'completed', outputs, ...response };
    }
    const last = call.exchanges.at(-1);
    const isFree = dialect.isLocal === true || (last && dialect.failureIsFree?.(last)) === true;
    const isGone = source === 'provider' && !dialect.resultStatus && isUnknownJob(last);
    const isReported = result.kind === 'fault' && result.isFinished;
    const isFinished = isReported || isGone || last?.isFinished;
    const ofFault = result.kind === 'fault' && {
      ...(isFinished !== undefined && { isFinished }),
      ...again,
    };
    return { ...result, ...ofFault, ...(isFree && { isFree }), ...response };
  }

  const show = (request: ProviderRequest, abortSignal: AbortSignal) =>
    withInputFiles(request.inputs, inputNeeds(parts), (inputs) =>
      showRequest(
        (usedEntry) => {
          const options = callOptions(request, inputs, { ...parts, entry: usedEntry });
          return rehearse(() => model.doStart({ ...options, abortSignal }));
        },
        () => checkParameters({ ...callOptions(request, inputs, parts), abortSignal }),
        parts,
      ),
    );

  return {
    ...routeOf(parts, async () => 1),
    submit,
    poll,
    ...(http && { show }),
    ...(dialect.cancel && api && { cancel: cancelJob(dialect.cancel, api) }),
    taskIdOf: (operation) => taskIdOf(operation, dialect.task),
    ...(dialect.operationOf && {
      operationOf: (taskId: string) => dialect.operationOf?.(taskId, entry.model) ?? null,
    }),
  };
}

function callOptions(
  request: ProviderRequest,
  inputs: readonly PreparedInput[],
  parts: RouteParts,
): StartOptions {
  const { own, ...call } = writeCall({ ...request, type: 'video' }, inputs, parts.plan);
  return {
    ...call,
    prompt: request.prompt,
    n: 1,
    fps: undefined,
    providerOptions: ownOptions(parts, request, own),
  };
}

/** Whether the provider itself answers that it has no such job. */
function isUnknownJob(last: Exchange | undefined): boolean {
  const isMissing = last?.status === 404 || last?.status === 410;
  return isMissing && isOwnErrorBody(last.body);
}

/**
 * Replaces a job's end that the package could not read with the proper result. Some packages wait forever for a word
 * for finished that they do not know.
 */
function withReadEnd(
  call: RecordedCall<StatusResult>,
  { dialect }: Pick<RouteParts, 'dialect'>,
): RecordedCall<StatusResult> {
  const last = call.exchanges.at(-1);
  const isRead = call.ok && call.value.status !== 'pending';
  if (isRead || !last || !isAnswered(last) || last.body === null) return call;
  const response = parseJson(last.body);
  const end = dialect.parseEnd?.(response) ?? finishedEnd(response);
  if (!end) return call;
  return { ok: true, value: { ...end, response: noResponse('') }, exchanges: call.exchanges };
}
