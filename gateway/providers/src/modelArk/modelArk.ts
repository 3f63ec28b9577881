import type {
  Experimental_VideoModelV4CallOptions as CallOptions,
  Experimental_VideoModelV4File as VideoFile,
} from '@ai-sdk/provider';
import { isJsonObject } from '@framegate/contract';
import { type Dialect, textIn } from '../dialect.ts';
import { fileValue, kindOf } from '../inputFiles.ts';
import { type Api, callApi } from '../ownRequests.ts';
import { parseDialect } from '../parseDialect.ts';
import modelArk from '../rows/modelArk.json' with { type: 'json' };
import type { JsonObject } from '../sendRules.ts';
import { fieldsOf } from '../unknownJson.ts';
import { noResponse, unreadableResponse } from '../unreadableResponse.ts';
import type { TwoStepVideoModel } from '../videoRoute.ts';

/** ModelArk's dialect. Its entry's `baseURL` names the host. Only queued jobs can be cancelled. */
export const arkDialect: Dialect = parseDialect(modelArk, {
  charges: { video: { at: '/usage/completion_tokens', factor: 1 } },
});

type StatusResult = Awaited<ReturnType<TwoStepVideoModel['doStatus']>>;

/**
 * BytePlus ModelArk (Seedance) behind the interface of `@ai-sdk/provider`: creates and polls tasks as
 * documented in its Video Generation API (https://docs.byteplus.com/en/docs/ModelArk/1520757).
 * @param api `baseURL` such as `https://ark.ap-southeast.bytepluses.com/api/v3`.
 */
export function createModelArk(api: Api): { videoModel(modelId: string): TwoStepVideoModel } {
  const tasks = '/contents/generations/tasks';

  async function call(...[path, signal, order]: [string, AbortSignal | undefined, JsonObject?]) {
    const { ok, status, text, json } = await callApi(api, path, signal, order);
    if (ok && isJsonObject(json)) return json;
    throw unreadable(ok ? 'not a JSON object' : `status ${status}`, status, text);
  }

  const unreadable = (message: string, statusCode?: number, responseBody?: string) =>
    unreadableResponse(`${api.baseURL}${tasks}`, message, statusCode, responseBody);

  return {
    videoModel(modelId) {
      const response = noResponse(modelId);
      return {
        specificationVersion: 'v4',
        provider: 'model-ark',
        modelId,
        maxVideosPerCall: 1,

        async doStart(options) {
          const task = await call(tasks, options.abortSignal, arkTask(modelId, options));
          const taskId = textIn(task, 'id');
          if (taskId === null) throw unreadable('no task id');
          return { operation: { taskId }, warnings: [], response };
        },

        async doStatus({ operation, abortSignal }) {
          const id = textIn(operation, 'taskId');
          if (id === null) throw new TypeError('not a task of ModelArk');
          const task = await call(`${tasks}/${encodeURIComponent(id)}`, abortSignal);
          const result = parseTask(task, response);
          if (!result) throw unreadable('unknown task status');
          return result;
        },
      };
    },
  };
}

/**
 * The body that creates a task (ModelArk, Video Generation API). The provider's own options override it, under
 * their documented names; null removes a field. The watermark is off unless they ask for it. Frames and
 * references exclude each other; a last frame needs a first.
 */
function arkTask(model: string, options: CallOptions): JsonObject {
  const frame = (type: string) =>
    options.frameImages?.find(({ frameType }) => frameType === type)?.image;
  const first = frame('first_frame') ?? options.image;
  const last = frame('last_frame');
  const references = options.inputReferences ?? [];
  const content = [
    ...(options.prompt === undefined ? [] : [{ type: 'text', text: options.prompt }]),
    // A first frame alone has no role.
    ...(first ? [part('image', first, last ? 'first_frame' : null)] : []),
    ...(last ? [part('image', last, 'last_frame')] : []),
    ...(first
      ? []
      : references.map((file) => part(kindOf(file), file, `reference_${kindOf(file)}`))),
  ];
  const fields = {
    ratio: options.aspectRatio,
    // By name, as its rows send it.
    resolution: options.resolution,
    duration: options.duration,
    seed: options.seed,
    generate_audio: options.generateAudio,
  };
  const own = options.providerOptions[arkDialect.name];
  const all: Record<string, unknown> = { model, content, watermark: false, ...fields, ...own };
  const body = Object.entries(all).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(body) as JsonObject;
}

function part(kind: 'image' | 'video' | 'audio', file: VideoFile, role: string | null): JsonObject {
  const name = `${kind}_url`;
  return { type: name, [name]: { url: fileValue(file) }, ...(role === null ? {} : { role }) };
}

/**
 * Every end except `succeeded` is a failure; the vendor's own client waits forever on some. Null for an unknown status.
 */
function parseTask(
  { status, content, error }: Record<string, unknown>,
  response: StatusResult['response'],
): StatusResult | null {
  switch (status) {
    case 'queued':
    case 'running':
      return { status: 'pending', response };
    case 'succeeded': {
      const url = textIn(content, 'video_url');
      const video = { type: 'url', url: url ?? '', mediaType: 'video/mp4' } as const;
      const videos = url === null ? [] : [video];
      return { status: 'completed', videos, warnings: [], response };
    }
    case 'failed':
    case 'cancelled':
    case 'expired': {
      // Joined like `failureTextOf`, so that a staff note has the text once.
      const { code, message } = fieldsOf(error);
      const parts = [status, code, message].filter((each) => typeof each === 'string');
      return { status: 'error', error: parts.join(' | '), response };
    }
    default:
      return null;
  }
}
