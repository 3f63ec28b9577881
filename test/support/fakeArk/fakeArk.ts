import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sampleFilm } from '../sampleMedia.ts';
import { orderedFilm } from './orderedFilm.ts';
import { playFault, sendError, sendJson } from './playFault.ts';
import { createScript, type Fault, type Rule } from './script.ts';
import { readTaskRequest, type TaskRequest, WrongRequest } from './taskRequest.ts';
import { isQueued, readInput, type Submitted, type Task, taskState } from './tasks.ts';

/** A fake ModelArk on this machine. */
export interface FakeArk {
  /** Origin, such as `http://127.0.0.1:40123`. */
  origin: string;
  /** `baseURL` of a provider of kind `model-ark`. */
  baseURL: string;
  /** Host for `mediaHosts`. */
  mediaHost: string;
  /** The key it accepts. */
  apiKey: string;
  /** Adds lines to the script; earlier ones take precedence. */
  script(...rules: Rule[]): void;
  /** Everything submitted, in order. */
  submitted(): readonly Submitted[];
  /** While held, no task ends. */
  setHeld(isHeld: boolean): void;
  /** While silent, polls are never answered. */
  setSilent(isSilent: boolean): void;
  /** Number of accepted tasks whose prompt contains this text; one if there was no fault. */
  accepted(prompt: string): number;
  /** How often tasks were listed. */
  listed(): number;
  /** Forgets the script and the submitted tasks. */
  reset(): void;
  close(): Promise<void>;
}

/** The path at which other processes script it and read its state; see scriptFakeArk. */
export const controlPath = '/__control';

/**
 * Starts a server on 127.0.0.1 that speaks the protocol of ModelArk's Video Generation API and follows a script.
 * Finished tasks have a real MP4 of the ordered size, length and sound. With `honoursKeys` it simulates a ModelArk
 * behind a proxy that honours Idempotency-Key: a known key gets its existing task.
 */
export async function startFakeArk({
  apiKey = 'ark-test-key',
  honoursKeys = false,
  taskIdOf = (number: number) => `cgt-${String(number).padStart(6, '0')}`,
} = {}): Promise<FakeArk> {
  const script = createScript();
  let submitted: Submitted[] = [];
  const tasks = new Map<string, Task>();
  const byKey = new Map<string, string>();
  let last = 0;
  let lists = 0;
  let isSilent = false;
  let isHeld = false;
  const tasksPath = '/api/v3/contents/generations/tasks';

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin);
    if (pathname === controlPath) return control(request, response);
    const media = /^\/media\/([^/]+)\.mp4$/.exec(pathname)?.[1];
    if (media !== undefined) return serveMedia(tasks.get(media), response);
    if (request.headers.authorization !== `Bearer ${apiKey}`) {
      sendError(response, 401, 'AuthenticationError', 'The API key does not exist.');
    } else if (request.method === 'POST' && pathname === tasksPath) {
      await submit(await readJson(request), request.headers['idempotency-key'], response);
    } else if (request.method === 'GET' && pathname === tasksPath) {
      await list(response);
    } else if (request.method === 'GET' && pathname.startsWith(`${tasksPath}/`)) {
      await poll(tasks.get(decodeURIComponent(pathname.slice(tasksPath.length + 1))), response);
    } else if (request.method === 'DELETE' && pathname.startsWith(`${tasksPath}/`)) {
      cancel(tasks.get(decodeURIComponent(pathname.slice(tasksPath.length + 1))), response);
    } else {
      sendError(response, 404, 'NotFound', 'There is no such path.');
    }
  }

  async function submit(
    body: unknown,
    key: string | string[] | undefined,
    response: ServerResponse,
  ): Promise<void> {
    const known = honoursKeys && typeof key === 'string' ? byKey.get(key) : undefined;
    if (known !== undefined) {
      sendJson(response, 200, { id: known });
      return;
    }
    let order: TaskRequest;
    try {
      order = readTaskRequest(body);
    } catch (error) {
      if (!(error instanceof WrongRequest)) throw error;
      const message = `The parameter ${error.message} specified in the request is not valid.`;
      sendError(response, 400, error.code, message);
      return;
    }
    const { model, prompt, fields } = order;
    const inputs = await Promise.all(order.inputs.map(readInput));
    const record: Submitted = {
      taskId: null,
      model,
      prompt,
      fields,
      inputs,
      polls: 0,
      downloads: 0,
      at: Date.now(),
      wasCut: false,
    };
    response.once('close', () => (record.wasCut = !response.writableFinished));
    submitted.push(record);
    const fault = await withoutDelay(script.faultFor('submit', prompt));
    if (fault && fault.kind !== 'accept, then') {
      playFault(response, fault);
      return;
    }
    if (inputs.some(({ bytes }) => bytes === null)) {
      sendError(response, 400, 'InvalidParameter', 'An input could not be downloaded.');
      return;
    }
    last += 1;
    const taskId = taskIdOf(last);
    if (typeof key === 'string') byKey.set(key, taskId);
    tasks.set(taskId, Object.assign(record, { taskId, plan: script.planFor(prompt) }));
    if (fault) playFault(response, fault.fault);
    else sendJson(response, 200, { id: taskId });
  }

  async function list(response: ServerResponse): Promise<void> {
    lists += 1;
    const fault = await withoutDelay(script.faultFor('list', ''));
    if (fault && fault.kind !== 'accept, then') playFault(response, fault);
    else sendJson(response, 200, { items: [], total: tasks.size });
  }

  async function poll(task: Task | undefined, response: ServerResponse): Promise<void> {
    if (!task) {
      sendError(response, 404, 'NotFound', 'The task does not exist.');
      return;
    }
    if (isSilent) return;
    const fault = await withoutDelay(script.faultFor('poll', task.prompt));
    if (fault && fault.kind !== 'accept, then') {
      playFault(response, fault);
      return;
    }
    if (isHeld) {
      sendJson(response, 200, { id: task.taskId, status: 'running' });
      return;
    }
    task.polls += 1;
    sendJson(response, 200, taskState(task, origin));
  }

  /** Only a task that has not begun can be cancelled. */
  function cancel(task: Task | undefined, response: ServerResponse): void {
    if (!task) {
      sendError(response, 404, 'NotFound', 'The task does not exist.');
    } else if (isQueued(task)) {
      task.isCancelled = true;
      sendJson(response, 200, {});
    } else {
      sendError(response, 409, 'InvalidAction.RunningTaskDeletion', 'The task is running.');
    }
  }

  async function serveMedia(task: Task | undefined, response: ServerResponse): Promise<void> {
    const fault = task && (await withoutDelay(script.faultFor('media', task.prompt)));
    if (fault && fault.kind !== 'accept, then') {
      playFault(response, fault, 'video/mp4');
    } else if (task) {
      task.downloads += 1;
      const video = await sampleFilm({ ...orderedFilm(task.fields), ...task.plan.film });
      const headers = { 'content-type': 'video/mp4', 'content-length': String(video.length) };
      response.writeHead(200, headers).end(video);
    } else {
      response.writeHead(404).end();
    }
  }

  async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') script.add(...((await readJson(request)) as Rule[]));
    if (request.method === 'DELETE') fake.reset();
    sendJson(response, 200, submitted);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      sendError(response, 500, 'InternalServiceError', String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const mediaHost = `127.0.0.1:${String(port)}`;
  const origin = `http://${mediaHost}`;
  const fake: FakeArk = {
    origin,
    mediaHost,
    apiKey,
    baseURL: `${origin}/api/v3`,
    script: (...rules) => {
      script.add(...rules);
    },
    submitted: () => submitted,
    setHeld: (held) => (isHeld = held),
    setSilent: (silent) => (isSilent = silent),
    accepted: (prompt) => [...tasks.values()].filter((task) => task.prompt.includes(prompt)).length,
    listed: () => lists,
    reset() {
      script.clear();
      lists = 0;
      submitted = [];
      tasks.clear();
      byKey.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

/** Waits out a delay; any other fault is left to the caller. */
async function withoutDelay(
  fault: Fault | undefined,
): Promise<Exclude<Fault, { kind: 'slow' }> | undefined> {
  if (fault?.kind !== 'slow') return fault;
  await pause(fault.ms);
  return undefined;
}
