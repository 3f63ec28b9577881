import { APICallError } from '@ai-sdk/provider';
import type {
  Experimental_VideoModelV4CallOptions as CallOptions,
  Experimental_VideoModelV4File as VideoFile,
} from '@ai-sdk/provider';
import type { Dialect } from '../dialect.ts';
import { fileValue } from '../inputFiles.ts';
import type { Api } from '../ownRequests.ts';
import { readDialect } from '../readDialect.ts';
import modelArk from '../rows/modelArk.json' with { type: 'json' };
import { fieldsOf, isFields, parseJson } from '../unknownJson.ts';
import type { JsonObject } from '../configuredRoutes.ts';
import type { TwoStepVideoModel } from '../videoRoute.ts';

/** ModelArk's dialect. Its entry's `baseURL` names the host. Only queued jobs can be cancelled. */
export const arkDialect: Dialect = readDialect(modelArk);

type StatusResult = Awaited<ReturnType<TwoStepVideoModel['doStatus']>>;

/**
 * BytePlus ModelArk (Seedance) behind the interface of `@ai-sdk/provider`: creates and polls tasks as
 * documented in its Video Generation API (https://docs.byteplus.com/en/docs/ModelArk/1520757).
 * @param settings `baseURL` such as `https://ark.ap-southeast.bytepluses.com/api/v3`.
 */
export function createModelArk(settings: Api): {
  videoModel(modelId: string): TwoStepVideoModel;
} {
  const tasks = `${settings.baseURL}/contents/generations/tasks`;

  async function call(
    url: string,
    { abortSignal }: { abortSignal?: AbortSignal | undefined },
    order?: JsonObject,
  ): Promise<Answer> {
    const response = await settings.fetch(url, {
      ...(order && { method: 'POST', body: JSON.stringify(order) }),
      signal: abortSignal ?? null,
      headers: {
        authorization: `Bearer ${settings.apiKey}`,
        accept: 'application/json',
        ...(order && { 'content-type': 'application/json' }),
      },
    });
    const body = await response.text();
    const json = parseJson(body);
    if (!response.ok || !isFields(json)) {
      throw new APICallError({
        message: response.ok ? 'not a JSON object' : `status ${String(response.status)}`,
        url,
        requestBodyValues: {},
        statusCode: response.status,
        responseBody: body,
      });
    }
    return json;
  }

  function videoModel(modelId: string): TwoStepVideoModel {
    const response = () => ({ timestamp: new Date(), modelId, headers: undefined });
    const unreadable = (what: string) =>
      new APICallError({ message: what, url: tasks, requestBodyValues: {}, statusCode: 200 });
    return {
      specificationVersion: 'v4',
      provider: 'model-ark',
      modelId,
      maxVideosPerCall: 1,

      async doStart(options) {
        const { id } = await call(tasks, options, arkTask(modelId, options));
        if (typeof id !== 'string' || id === '') throw unreadable('no task id');
        return { operation: { taskId: id }, warnings: [], response: response() };
      },

      async doStatus(options): Promise<StatusResult> {
        const id = fieldsOf(options.operation)['taskId'];
        if (typeof id !== 'string') throw new TypeError('not a task of ModelArk');
        const task = await call(`${tasks}/${encodeURIComponent(id)}`, options);
        return { ...parseTask(task, unreadable), response: response() };
      },
    };
  }

  return { videoModel };
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

function kindOf({ mediaType }: VideoFile): 'image' | 'video' | 'audio' {
  if (mediaType?.startsWith('video/')) return 'video';
  return mediaType?.startsWith('audio/') ? 'audio' : 'image';
}

interface Answer {
  id?: unknown;
  status?: unknown;
  content?: unknown;
  error?: unknown;
}

type TaskState =
  | { status: 'pending' }
  | {
      status: 'completed';
      videos: [{ type: 'url'; url: string; mediaType: 'video/mp4' }];
      warnings: [];
    }
  | { status: 'error'; error: string };

/** Every end except `succeeded` with a file is a failure; the vendor's own client waits for ever on some. */
function parseTask(task: Answer, unreadable: (what: string) => Error): TaskState {
  switch (task.status) {
    case 'queued':
    case 'running':
      return { status: 'pending' };
    case 'succeeded': {
      const url = fieldsOf(task.content)['video_url'];
      if (typeof url !== 'string' || url === '') {
        return { status: 'error', error: 'succeeded without a video' };
      }
      return {
        status: 'completed',
        videos: [{ type: 'url', url, mediaType: 'video/mp4' }],
        warnings: [],
      };
    }
    case 'failed':
    case 'cancelled':
    case 'expired':
      return { status: 'error', error: errorText(task) };
    default:
      throw unreadable('unknown task status');
  }
}

/** Joined like `failureTextOf`, so that a note for staff has the text once. */
function errorText({ status, error }: Answer): string {
  const { code, message } = fieldsOf(error);
  return [status, code, message].filter((each) => typeof each === 'string').join(' | ');
}
