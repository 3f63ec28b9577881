import { minuteMs } from '@framegate/contract';
import { pause, withTimeLimit } from '@framegate/limits';
import type { RefusedSubmission } from '../classifySubmission.ts';
import { isPlainId, textIn } from '../dialect.ts';
import { currentCall, lastResponse, mayOrder, recordCall, retryRequestIn } from '../exchanges.ts';
import { InputUnreadableError, type PreparedInput, withInputFiles } from '../inputFiles.ts';
import { fromUrl } from '../modelOutputs.ts';
import type { Api } from '../ownRequests.ts';
import { failureCodeOf, shortMessageOf, staffNote } from '../providerFailures.ts';
import type { PollResult, ProviderHealth, ProviderRequest, Route, Submission } from '../route.ts';
import { inputNeeds, recordHost, routeOf, type RouteParts, unsent } from '../routeParts.ts';
import { filesOfOrder, pictureName, promptId, writeOrder } from './comfyOrder.ts';
import { ComfyResponseError, type ComfyState, createComfyServer } from './comfyServer.ts';
import type { Graph } from './graph.ts';

/** Time limits of a submission including its settling, of a poll, and of a cancellation, in ms. */
const submitMs = 3 * minuteMs;
const pollMs = 30_000;
const cancelMs = 10_000;
const probeMs = 3_000;

/**
 * Consecutive polls without finding an order before it counts as not arrived. The connection is closed, but the server
 * may not yet have read the request.
 */
const pollsForAbsence = 10;
/** Polls after which an order without a clear response stays unknown. */
const maxPolls = 30;

/**
 * A route to a workflow at a ComfyUI server. The id of an order is derived from that of the generation, so that this
 * process or another can find an order without a clear response again.
 */
export function createComfyRoute(graph: Graph, parts: RouteParts, api: Api): Route {
  const { failureRules, http, imageTimes } = parts;
  const server = createComfyServer(api);
  const note = (error: unknown) => staffNote([shortMessageOf(error)], api.apiKey);

  async function submit(request: ProviderRequest, signal: AbortSignal): Promise<Submission> {
    signal.throwIfAborted();
    const call = await recordCall('submit', () =>
      withTimeLimit(submitMs, signal, (limited) => takeOrder(request, limited)),
    );
    if (call.ok) return { ...call.value, ...lastResponse(call.exchanges, api.apiKey) };
    if (signal.aborted) throw signal.reason;
    return { kind: 'unknown', note: note(call.error), ...lastResponse(call.exchanges, api.apiKey) };
  }

  async function takeOrder(request: ProviderRequest, signal: AbortSignal): Promise<Submission> {
    const id = promptId(request.generationId);
    if (request.isRepeated) {
      const settled = await settle(id, signal);
      if (settled === 'unclear') return refusedSubmission('an earlier order cannot be looked up');
      if (settled === 'here') return { kind: 'accepted', operation: { promptId: id } };
    }
    let order: Graph;
    try {
      await server.requireVersion(signal);
      order = await prepare(request, id, signal);
    } catch (error) {
      const before = unsent(error, request, parts);
      return before ?? refusedSubmission(note(error), refusesKey(error) ? 'key' : 'failure');
    }
    try {
      return { kind: 'accepted', operation: { promptId: await server.order(id, order, signal) } };
    } catch (error) {
      const refusal = refusedSubmissionFor(error);
      if (refusal) return refusal;
      const settled = await settle(id, signal);
      if (settled === 'here') return { kind: 'accepted', operation: { promptId: id } };
      if (settled === 'absent') return refusedSubmission(`not arrived: ${note(error)}`);
      return { kind: 'unknown', note: note(error) };
    }
  }

  /** The refusal shown by an order's error; null if the order may have arrived. */
  function refusedSubmissionFor(error: unknown): RefusedSubmission | null {
    const last = currentCall()?.exchanges.findLast(mayOrder);
    if (last && !last.isSent) return refusedSubmission(note(error));
    if (refusesKey(error)) return refusedSubmission(note(error), 'key');
    if (!(error instanceof ComfyResponseError && error.isInvalid)) return null;
    const code = failureCodeOf(error.message, 'submit', failureRules);
    if (code !== null) return { kind: 'refused', code, isBusy: false, note: note(error) };
    return { ...refusedSubmission(note(error), 'model_gone'), isBusy: false };
  }

  /** Polls for an order until the server has it, or has lacked it for long enough. */
  async function settle(id: string, signal: AbortSignal): Promise<'here' | 'absent' | 'unclear'> {
    let absences = 0;
    for (let poll = 0; poll < maxPolls; poll += 1) {
      if (poll > 0) await pause(imageTimes.pauseMs, signal);
      signal.throwIfAborted();
      const state = await server.poll(id, signal).catch(() => null);
      if (state !== null && state !== 'absent') return 'here';
      absences = state === null ? 0 : absences + 1;
      if (absences === pollsForAbsence) return 'absent';
    }
    return 'unclear';
  }

  /** Uploads the pictures and writes the order. */
  function prepare(request: ProviderRequest, id: string, signal: AbortSignal): Promise<Graph> {
    return withInputFiles(request.inputs, inputNeeds(parts), async (inputs) => {
      const uploaded: PreparedInput[] = [];
      for (const [index, input] of inputs.entries()) {
        const { file } = input;
        if (file.type === 'url') throw new InputUnreadableError('only pictures can be uploaded');
        const name = pictureName(id, index, file.mediaType);
        const url = await server.upload(name, file, signal);
        uploaded.push({ ...input, file: { type: 'url', url, mediaType: file.mediaType } });
      }
      return writeOrder(graph, request, id, uploaded, parts);
    });
  }

  async function poll(
    operation: unknown,
    request: ProviderRequest,
    signal: AbortSignal,
  ): Promise<PollResult> {
    signal.throwIfAborted();
    const id = textIn(operation, 'promptId');
    if (id === null) return { kind: 'fault', note: 'not an order of ComfyUI' };
    const call = await ask(pollMs, signal, (limited) => server.poll(id, limited));
    if (signal.aborted && !call.ok) throw signal.reason;
    const response = lastResponse(call.exchanges, api.apiKey);
    const again = retryRequestIn(call.exchanges);
    if (!call.ok) return { kind: 'fault', note: note(call.error), ...again, ...response };
    const result = resultOf(call.value, request);
    return result.kind === 'pending' ? result : { ...result, ...response };
  }

  function resultOf(state: ComfyState, request: ProviderRequest): PollResult {
    if (state === 'queued') return { kind: 'pending' };
    const failed = { kind: 'failed', code: 'generation_failed' } as const;
    const withoutResult = { kind: 'fault', isFinished: true } as const;
    if (state === 'absent') {
      const lost = 'lost: neither in the queue nor in the history of the server';
      return { ...withoutResult, note: lost, isFree: true };
    }
    if ('error' in state) {
      const code = failureCodeOf(state.error, 'work', failureRules) ?? failed.code;
      return { ...failed, code, note: note(state.error) };
    }
    const files = filesOfOrder(state.files, request);
    if (!http || files.length === 0) return { ...withoutResult, note: 'finished without a file' };
    const outputs = files.map((file) => fromUrl(server.viewUrl(file), http, server.present));
    for (const { host } of outputs) if (host !== undefined) recordHost(parts, host);
    return { kind: 'completed', outputs };
  }

  /** Runs a short request of our own. */
  const ask = <T>(ms: number, signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>) =>
    recordCall('poll', () => withTimeLimit(ms, signal, work));

  return {
    ...routeOf(parts, async () => 1),
    // A repetition starts by looking for the order.
    safeToRepeat: true,
    submit,
    poll,
    async show(request) {
      const id = promptId(request.generationId);
      const inputs = request.inputs.map(({ type, role, mediaType }, index): PreparedInput => {
        const url = `framegate/${pictureName(id, index, mediaType)} [temp]`;
        return { type, role, file: { type: 'url', url, mediaType } };
      });
      const body = JSON.stringify({
        prompt_id: id,
        prompt: writeOrder(graph, request, id, inputs, parts),
      });
      return { method: 'POST', url: `${api.baseURL}/prompt`, body, ignored: [], dropped: [] };
    },
    operationOf: (taskId) => (isPlainId(taskId) ? { promptId: taskId } : null),
    async cancel(operation, signal) {
      const id = textIn(operation, 'promptId');
      if (id === null) return { isAccepted: false, note: 'the operation names no order' };
      const outcome = await ask(cancelMs, signal, (limited) => server.stop(id, limited));
      return { isAccepted: outcome.ok, note: outcome.ok ? '200' : note(outcome.error) };
    },
    async probe(signal): Promise<ProviderHealth | null> {
      const outcome = await ask(probeMs, signal, (limited) => server.requireVersion(limited));
      if (outcome.ok) return { kind: 'success' };
      if (signal.aborted) return null;
      return { kind: refusesKey(outcome.error) ? 'key' : 'failure' };
    },
  };
}

const refusesKey = (error: unknown) =>
  error instanceof ComfyResponseError && [401, 402, 403].includes(error.status);

function refusedSubmission(
  note: string,
  kind: 'failure' | 'key' | 'model_gone' = 'failure',
): RefusedSubmission {
  return { kind: 'refused', code: null, isBusy: true, note, health: { kind } };
}
