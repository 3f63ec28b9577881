import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import responses from './responses.json' with { type: 'json' };

/** A request as the API saw it. */
export interface SeenRequest {
  /** Method and path, such as `POST /videos`; files are outside the API. */
  what: string;
  idempotencyKey: string | undefined;
  authorization: string | undefined;
}

/** A response that replaces the API's own, after the API has done its work. */
export interface Disturbance {
  /** The beginning of `SeenRequest.what`. */
  what: string;
  status: number;
  /** An object is sent as JSON, text as a page. */
  body: object | string;
  /** Callback before the response is sent. */
  meanwhile?: () => void;
}

/** A stand-in for the API: one generation for each key, finished at the second poll. */
export interface FakeApi {
  baseUrl: string;
  apiKey: string;
  seen: SeenRequest[];
  /** Ids of the generations that were made and charged. */
  made: string[];
  /** Generations made from now on fail. */
  failing: boolean;
  /** Replaces the next response of this kind. */
  disturb(disturbance: Disturbance): void;
  close(): Promise<void>;
}

/** The first bytes of an MP4 file. */
export const videoBytes = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');

/** The first bytes of a PNG file. */
const imageBytes = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

interface Generation {
  queued: typeof responses.queued | typeof responses.queued_image;
  model: string;
  failed: boolean;
  looks: number;
}

interface Response {
  status: number;
  body: object;
}

/** Starts it on 127.0.0.1. Its responses are the examples of the API's OpenAPI document. */
export async function startFakeApi(): Promise<FakeApi> {
  const byKey = new Map<string, string>();
  const generations = new Map<string, Generation>();
  const disturbances: Disturbance[] = [];

  function create(key: string, queued: Generation['queued'], model: string): Response {
    const id = byKey.get(key) ?? `gen_01kagw2m5t9x3q7r8v4c6e${String(1000 + byKey.size)}`;
    if (!byKey.has(key)) generations.set(id, { queued, model, failed: api.failing, looks: 0 });
    byKey.set(key, id);
    return { status: 202, body: record(id, queued) };
  }

  function look(id: string): Response {
    const generation = generations.get(id);
    if (!generation) return { status: 404, body: responses.generation_not_found };
    generation.looks += 1;
    const { failed, looks, queued } = generation;
    if (looks === 1) return { status: 200, body: record(id, { ...queued, status: 'processing' }) };
    if (failed) return { status: 200, body: record(id, responses.failed) };
    return { status: 200, body: record(id, finished(id, queued.type)) };
  }

  /** An example as a response about this generation. There are no waits, so that tests are quick. */
  function record(id: string, example: object): object {
    const { model } = generations.get(id) ?? {};
    const pace = 'retry_after_seconds' in example && { retry_after_seconds: 0 };
    return { ...example, id, model, status_url: `${api.baseUrl}/generations/${id}`, ...pace };
  }

  function finished(id: string, type: string) {
    const isVideo = type === 'video';
    const file = new URL(`/files/${id}.${isVideo ? 'mp4' : 'png'}`, api.baseUrl).href;
    const { output, ...rest } = isVideo ? responses.completed_video : responses.completed_image;
    const field = isVideo ? { video_url: file } : { image_urls: [file] };
    return { ...rest, output: { expires_at: output.expires_at, urls: [file], ...field } };
  }

  async function responseTo(
    request: IncomingMessage,
    { what, ...seen }: SeenRequest,
  ): Promise<Response> {
    if (seen.authorization !== `Bearer ${api.apiKey}`) {
      return { status: 401, body: responses.invalid_api_key };
    }
    if (what === 'GET /models') return { status: 200, body: responses.models };
    if (what === 'GET /credits/balance') return { status: 200, body: responses.balance };
    const [, id] = /^GET \/generations\/(\w+)$/.exec(what) ?? [];
    if (id !== undefined) return look(id);
    const { model } = (await json(request)) as { model: string };
    const queued = what === 'POST /videos' ? responses.queued : responses.queued_image;
    return create(seen.idempotencyKey ?? '', queued, model);
  }

  const server = createServer((request, response) => {
    const respond = async () => {
      const path = request.url ?? '';
      const { authorization, 'idempotency-key': key } = request.headers;
      const what = `${request.method} ${path.replace(/^\/v1/, '')}`;
      const seen = { what, authorization, idempotencyKey: key?.toString() };
      api.seen.push(seen);
      if (path.startsWith('/files/')) {
        const isVideo = path.endsWith('.mp4');
        response.writeHead(200, { 'content-type': isVideo ? 'video/mp4' : 'image/png' });
        response.end(isVideo ? videoBytes : imageBytes);
        return;
      }
      const usual = await responseTo(request, seen);
      const at = disturbances.findIndex((each) => what.startsWith(each.what));
      const [disturbance] = disturbances.splice(at, at < 0 ? 0 : 1);
      disturbance?.meanwhile?.();
      const { status, body } = disturbance ?? usual;
      const isPage = typeof body === 'string';
      const type = isPage ? 'text/html' : 'application/json';
      response.writeHead(status, { 'content-type': type, 'retry-after': '0' });
      response.end(isPage ? body : JSON.stringify(body));
    };
    respond().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const api: FakeApi = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: `fg_live_${'x'.repeat(38)}`,
    seen: [],
    get made() {
      return [...generations.keys()];
    },
    failing: false,
    disturb: (disturbance) => void disturbances.push(disturbance),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return api;
}
