import type { ImageModelV4 as ImageModel } from '@ai-sdk/provider';
import { isJsonObject } from '@framegate/contract';
import type { ModelMaker } from '../aiSdk/loadAiSdk.ts';
import { textIn } from '../dialect.ts';
import type { Api } from '../ownRequests.ts';
import type { JsonObject } from '../sendRules.ts';
import { parseJson } from '../unknownJson.ts';
import { noResponse, unreadableResponse } from '../unreadableResponse.ts';
import type { TwoStepVideoModel } from '../videoRoute.ts';
import { type Description, type Work, workOf } from './description.ts';
import { fieldsName, reasonIn, stateIn } from './httpDialect.ts';
import { writeOrder, type WrittenOrder } from './order.ts';
import { parsePointer, pointersIn, textAt, textsAt, valuesAt } from './pointers.ts';
import { fillPath } from './template.ts';

type VideoStart = Parameters<TwoStepVideoModel['doStart']>[0];
type ImageCall = Parameters<ImageModel['doGenerate']>[0];
type TaskStatus = Awaited<ReturnType<TwoStepVideoModel['doStatus']>>;

/** The files of finished work: URLs and base64, in the order of the response. */
interface FinishedFiles {
  addresses: string[];
  base64: string[];
}

/**
 * The models of a described API, behind the interface of `@ai-sdk/provider`, so that routes treat them like those of
 * a package.
 * @param api Its `fetch` presents the key.
 */
export function createHttpModels(api: Api, description: Description): ModelMaker {
  const requireWork = (type: 'video' | 'image') => {
    const work = workOf(description, type);
    if (!work) throw new Error(`its description has no ${type}s`);
    return work;
  };

  async function call(
    path: string,
    signal: AbortSignal | undefined,
    order?: WrittenOrder | { method: string },
  ): Promise<JsonObject> {
    const response = await api.fetch(`${api.baseURL}${path}`, {
      method: 'GET',
      ...order,
      headers: {
        accept: 'application/json',
        ...(typeof (order as WrittenOrder | undefined)?.body === 'string' && {
          'content-type': 'application/json',
        }),
      },
      signal: signal ?? null,
    });
    const text = await response.text();
    const json = parseJson(text);
    if (response.ok && isJsonObject(json)) return json as JsonObject;
    const message = response.ok ? 'not a JSON object' : `status ${response.status}`;
    throw unreadable(message, response.status, text);
  }

  const unreadable = (message: string, statusCode?: number, responseBody?: string) =>
    unreadableResponse(api.baseURL, message, statusCode, responseBody);

  const nothingAt = (pointers: readonly string[], response: unknown) =>
    unreadable(
      `nothing at ${pointers.join(', ')} (the response has ${pointersIn(response)})`,
      200,
      JSON.stringify(response),
    );

  /** Places an order. @returns The response, with the task's operation if there is a task. */
  async function order(
    work: Work,
    modelId: string,
    options: VideoStart | ImageCall,
  ): Promise<{ response: JsonObject; operation: { taskId: string; endpoint: string } | null }> {
    const fields = (options.providerOptions[fieldsName] ?? {}) as JsonObject;
    const written = writeOrder(work, modelId, options, fields);
    const { path, ...request } = written;
    const response = await call(path, options.abortSignal, request);
    if (work.taskId === undefined) return { response, operation: null };
    const taskId = textAt(response, [work.taskId]);
    if (taskId === null) throw nothingAt([work.taskId], response);
    return { response, operation: { taskId, endpoint: path } };
  }

  /** Asks about a task once. */
  async function look(work: Work, operation: unknown, modelId: string, signal?: AbortSignal) {
    const [id, endpoint] = [textIn(operation, 'taskId'), textIn(operation, 'endpoint')];
    if (id === null || !work.poll) throw new TypeError('not a task of this provider');
    const path = fillPath(
      work.poll.path.replace('{endpoint}', () => endpoint ?? ''),
      { id, model: modelId },
    );
    return { id, response: await call(path, signal, { method: work.poll.method }) };
  }

  /** The files of finished work, which may take a further request. */
  async function findFiles(
    { files }: Work,
    finished: JsonObject,
    { id, model, signal }: { id: string; model: string; signal: AbortSignal | undefined },
  ): Promise<FinishedFiles> {
    if (files.path !== undefined) {
      const address = `${api.baseURL}${fillPath(files.path, { id, model })}`;
      return { addresses: [address], base64: [] };
    }
    let response = finished;
    if (files.lookup) {
      const value = textAt(finished, [files.lookup.value]);
      if (value === null) throw nothingAt([files.lookup.value], finished);
      response = await call(fillPath(files.lookup.path, { value, id }), signal);
    }
    const first = (pointers: readonly string[] = []) =>
      pointers.map((pointer) => textsAt(response, pointer)).find((texts) => texts.length > 0) ?? [];
    return { addresses: first(files.addresses), base64: first(files.base64) };
  }

  /** Usage and cost as the provider reports them. */
  function reportedIn({ reported }: Work, response: unknown) {
    const figures = reported.flatMap((pointer) => {
      const [value] = valuesAt(response, pointer);
      return value === undefined ? [] : [[parsePointer(pointer).at(-1) ?? '', value] as const];
    });
    if (figures.length === 0) return {};
    return { providerMetadata: { [fieldsName]: Object.fromEntries(figures) as JsonObject } };
  }

  function videoModel(modelId: string): TwoStepVideoModel {
    const work = requireWork('video');
    const info = noResponse(modelId);
    return {
      specificationVersion: 'v4',
      provider: fieldsName,
      modelId,
      maxVideosPerCall: 1,
      async doStart(options) {
        const { operation } = await order(work, modelId, options);
        if (!operation) throw new TypeError('a video needs a task');
        return { operation, warnings: [], response: info };
      },
      async doStatus({ operation, abortSignal }): Promise<TaskStatus> {
        const { id, response } = await look(work, operation, modelId, abortSignal);
        const { state, stateWord } = stateIn(work, response);
        switch (state) {
          case 'pending':
            return { status: 'pending', response: info };
          case 'failed':
            return { status: 'error', error: reasonIn(work, response, stateWord), response: info };
          case 'completed': {
            const output = await findFiles(work, response, {
              id,
              model: modelId,
              signal: abortSignal,
            });
            const mediaType = 'video/mp4';
            return {
              status: 'completed',
              videos: [
                ...output.addresses.map((url) => ({ type: 'url', url, mediaType }) as const),
                ...output.base64.map((data) => ({ type: 'base64', data, mediaType }) as const),
              ],
              warnings: [],
              response: info,
              ...reportedIn(work, response),
            };
          }
          case 'missing':
            throw nothingAt([work.states?.at ?? ''], response);
          default:
            throw unreadable(
              `unknown state "${stateWord.slice(0, 60)}"`,
              200,
              JSON.stringify(response),
            );
        }
      },
    };
  }

  function imageModel(modelId: string): ImageModel {
    const work = requireWork('image');
    return {
      specificationVersion: 'v4',
      provider: fieldsName,
      modelId,
      maxImagesPerCall: work.imagesPerCall,
      async doGenerate(options) {
        const { abortSignal: signal } = options;
        const ordered = await order(work, modelId, options);
        // Within an image call the connection repeats a poll until the task has ended.
        const { id, response } = ordered.operation
          ? await look(work, ordered.operation, modelId, signal)
          : { id: '', response: ordered.response };
        const output = await findFiles(work, response, { id, model: modelId, signal });
        return {
          images: [...output.base64, ...output.addresses],
          warnings: [],
          response: noResponse(modelId),
          ...reportedIn(work, response),
        } as Awaited<ReturnType<ImageModel['doGenerate']>>;
      },
    };
  }

  return { videoModel, imageModel };
}
