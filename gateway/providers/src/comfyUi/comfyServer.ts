import { isJsonObject, minuteMs } from '@framegate/contract';
import { withTimeLimit } from '@framegate/limits';
import type { InputFile } from '../inputFiles.ts';
import { type Api, callApi, type PresentKey } from '../ownRequests.ts';
import { fieldsOf, listOf } from '../unknownJson.ts';
import type { Graph } from './graph.ts';

/** The first version that accepts our own id for an order, and stops only that order: 0.3.57 of September 2025. */
const oldestVersion = '0.3.57';

/** Time limit of a short request, in ms. */
const askMs = 10_000;
/** Time limit of an upload or an order, in ms. */
const sendMs = minuteMs;

/** A picture as bytes. */
type PictureBytes = Extract<InputFile, { type: 'file' }>;

/** A file in one of ComfyUI's folders. */
export interface ComfyFile {
  filename: string;
  subfolder: string;
  type: string;
}

/** The end of an order in ComfyUI's history. */
export type ComfyEnd = { files: ComfyFile[] } | { error: string };

/** The state of an order at a server; `absent`: the server does not have it and will not run it. */
export type ComfyState = 'queued' | 'absent' | ComfyEnd;

/** A response with a failure status, or one that ComfyUI does not give. */
export class ComfyResponseError extends Error {
  override readonly name = 'ComfyResponseError';
  readonly status: number;
  /** Whether the server checked a workflow and rejected it because a node or a model is missing there. */
  readonly isInvalid: boolean;

  constructor(status: number, message = `status ${status}`, isInvalid = false) {
    super(message);
    this.status = status;
    this.isInvalid = isInvalid;
  }
}

/**
 * The server of an entry, with the routes of its server.py. Everything throws ComfyResponseError, or the error of
 * a connection.
 */
export function createComfyServer(api: Api) {
  const { baseURL, apiKey } = api;
  const headers: Record<string, string> =
    apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };

  async function call(path: string, outer: AbortSignal, body?: object, ms = askMs) {
    return withTimeLimit(ms, outer, async (signal) => {
      const { ok, status, json } = await callApi(api, path, signal, body);
      if (ok) return json;
      const reason = isJsonObject(json) && 'node_errors' in json ? describeInvalid(json) : null;
      throw new ComfyResponseError(status, reason ?? undefined, reason !== null);
    });
  }

  async function findEnd(id: string, signal: AbortSignal): Promise<ComfyEnd | null> {
    const history = await call(`/history/${encodeURIComponent(id)}`, signal);
    if (!isJsonObject(history)) throw new ComfyResponseError(200, 'not a history');
    return id in history ? parseEnd(history[id]) : null;
  }

  async function readQueue(id: string, signal: AbortSignal) {
    const queue = await call('/queue', signal);
    const lists = isJsonObject(queue) ? [queue['queue_running'], queue['queue_pending']] : [];
    const [running, waiting] = lists.map((list) => {
      if (!Array.isArray(list)) throw new ComfyResponseError(200, 'not a queue');
      return list.some((item) => Array.isArray(item) && item[1] === id);
    });
    if (running === undefined || waiting === undefined) {
      throw new ComfyResponseError(200, 'not a queue');
    }
    return { running, waiting };
  }

  return {
    /** Presents the key, if the entry names one. */
    present: (async ({ url }) => ({ url, headers })) satisfies PresentKey,
    /** @throws Error if the server is too old. */
    async requireVersion(signal: AbortSignal): Promise<void> {
      const stats = await call('/system_stats', signal);
      const version = String(fieldsOf(fieldsOf(stats)['system'])['comfyui_version']);
      if (!isRecent(version)) throw new ComfyResponseError(200, `ComfyUI ${version} is too old`);
    },
    /** Puts a picture into the folder that is emptied at each startup. @returns Its name for a loading node. */
    async upload(
      name: string,
      { data, mediaType }: PictureBytes,
      signal: AbortSignal,
    ): Promise<string> {
      const form = new FormData();
      form.set('image', new Blob([new Uint8Array(data)], { type: mediaType }), name);
      form.set('type', 'temp');
      form.set('subfolder', 'framegate');
      form.set('overwrite', 'true');
      const stored = await call('/upload/image', signal, form, sendMs);
      const { name: storedName } = fieldsOf(stored);
      if (typeof storedName !== 'string') throw new ComfyResponseError(200, 'not an uploaded file');
      return `framegate/${storedName} [temp]`;
    },
    /** Places an order. @returns Its id there. */
    async order(id: string, graph: Graph, signal: AbortSignal): Promise<string> {
      const response = await call('/prompt', signal, { prompt_id: id, prompt: graph }, sendMs);
      const theirs = fieldsOf(response)['prompt_id'];
      if (typeof theirs !== 'string') throw new ComfyResponseError(200, 'no prompt id');
      return theirs;
    },
    async poll(id: string, signal: AbortSignal): Promise<ComfyState> {
      const ended = await findEnd(id, signal);
      if (ended) return ended;
      const { running, waiting } = await readQueue(id, signal);
      if (running || waiting) return 'queued';
      // It may have ended between the two requests.
      return (await findEnd(id, signal)) ?? 'absent';
    },
    /** Removes an order from the queue, or stops it if it is running. */
    async stop(id: string, signal: AbortSignal): Promise<void> {
      await call('/queue', signal, { delete: [id] });
      // A server that does not know the field would stop whichever order is running.
      if ((await readQueue(id, signal)).running) {
        await call('/interrupt', signal, { prompt_id: id });
      }
    },
    viewUrl: (file: ComfyFile) => `${baseURL}/view?${new URLSearchParams({ ...file }).toString()}`,
  };
}

/** Reads an entry of the history, without preview files. */
function parseEnd(entry: unknown): ComfyEnd {
  const { status, outputs } = fieldsOf(entry);
  const { status_str: word, messages } = fieldsOf(status);
  if (word === 'success') {
    const lists = Object.values(fieldsOf(outputs)).flatMap((output) =>
      Object.values(fieldsOf(output)),
    );
    return { files: lists.flat().filter(isOutput) };
  }
  const entries = listOf(messages).map(listOf);
  const [name, reason] = entries.find(([each]) => /error|interrupted/.test(String(each))) ?? [];
  const { node_type, exception_type, exception_message } = fieldsOf(reason);
  const parts = [name ?? word, node_type, exception_type, exception_message];
  return { error: parts.filter((part) => typeof part === 'string').join(': ') };
}

/** The reasons of a failed validation: of the whole, and of each node. */
function describeInvalid({ error, node_errors: nodes }: Record<string, unknown>): string {
  const errors = Object.values(fieldsOf(nodes)).flatMap((node) => {
    const { class_type: name, errors: all } = fieldsOf(node);
    return [name, ...listOf(all)];
  });
  return [error, ...errors]
    .flatMap((each) => (isJsonObject(each) ? [each['message'], each['details']] : [each]))
    .filter((each) => typeof each === 'string' && each !== '')
    .join(': ');
}

function isOutput(file: unknown): file is ComfyFile {
  return (
    isJsonObject(file) &&
    typeof file['filename'] === 'string' &&
    typeof file['subfolder'] === 'string' &&
    file['type'] === 'output'
  );
}

function isRecent(version: string): boolean {
  const isOlder = version.localeCompare(oldestVersion, 'en', { numeric: true }) < 0;
  return /^\d+\.\d/.test(version) && !isOlder;
}
