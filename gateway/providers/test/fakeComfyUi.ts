import type { ServerResponse } from 'node:http';
import { type Got, json, startTinyServer, type TinyServer } from './tinyServer.ts';

/** The fate of an order. */
export interface ComfyPlan {
  /** Fails the validation with this reason, like an order for a model that the server lacks. */
  refused?: string;
  /** Fails while running, with this message. */
  error?: string;
  /** The saved files; one picture if absent. */
  files?: { name: string; bytes: Buffer }[];
  /** The connection breaks before or after the order is queued. */
  drops?: 'before' | 'after';
  /** Whether the workflow runs until `finish`. */
  isHeld?: boolean;
}

interface Item {
  id: string;
  graph: Record<string, { class_type: string; inputs: Record<string, unknown> }>;
}

/**
 * A ComfyUI server modelled on its server.py and the queue of its execution.py. A plan decides the end of each order.
 */
export interface FakeComfyUi extends TinyServer {
  /** Plans keyed by a text that the order contains. */
  plans: Map<string, ComfyPlan>;
  /** The response to every request instead; null for the server's own. */
  fault: ((got: Got, response: ServerResponse) => boolean) | null;
  /** The version that it reports. */
  version: string;
  /** Orders as they arrive. */
  orders: Item[];
  uploads: string[];
  interrupted: string[];
  /** Ends the running order. */
  finish(): void;
  /** Queue and history exist only in memory. */
  restart(): void;
}

/** Starts one. @param picture The file of orders without a plan. */
export async function startFakeComfyUi(picture: Buffer): Promise<FakeComfyUi> {
  const queue: Item[] = [];
  const history = new Map<string, object>();
  const files = new Map<string, Buffer>();

  const planOf = ({ graph }: Item): ComfyPlan => {
    const text = JSON.stringify(graph);
    return [...fake.plans].find(([part]) => text.includes(part))?.[1] ?? {};
  };

  function end(
    item: Item,
    { error, files: saved = [{ name: 'a.png', bytes: picture }] }: ComfyPlan,
  ) {
    queue.splice(queue.indexOf(item), 1);
    const start = ['execution_start', { prompt_id: item.id, timestamp: 1 }];
    const prompt = [0, item.id, item.graph, {}, ['9']];
    if (error !== undefined) {
      const reason = {
        prompt_id: item.id,
        node_id: '9',
        node_type: 'KSampler',
        executed: [],
        exception_message: error,
        exception_type: 'RuntimeError',
        traceback: ['File "x"'],
        current_inputs: { text: ['the prompt'] },
      };
      const status = { status_str: 'error', completed: false };
      const messages = [start, ['execution_error', reason]];
      history.set(item.id, { prompt, outputs: {}, status: { ...status, messages }, meta: {} });
      return;
    }
    const images = saved.map(({ name, bytes }) => {
      const filename = `${item.id}_${name}`;
      files.set(filename, bytes);
      return { filename, subfolder: 'framegate', type: 'output' };
    });
    const preview = { images: [{ filename: 'p.png', subfolder: '', type: 'temp' }] };
    const status = { status_str: 'success', completed: true, messages: [start] };
    const outputs = { 8: preview, 9: { images, animated: [true] } };
    history.set(item.id, { prompt, outputs, status, meta: {} });
  }

  function post(got: Got, response: ServerResponse): void {
    const body = got.body as { prompt_id?: string; prompt?: Item['graph']; delete?: string[] };
    if (got.path === '/upload/image') {
      const name = /filename="([^"]+)"/.exec(String(got.body))?.[1] ?? '';
      fake.uploads.push(name);
      json(response, 200, { name, subfolder: 'framegate', type: 'temp' });
    } else if (got.path === '/queue') {
      const waiting = queue.filter(({ id }, index) => index > 0 && body.delete?.includes(id));
      for (const item of waiting) queue.splice(queue.indexOf(item), 1);
      response.writeHead(200).end();
    } else if (got.path === '/interrupt') {
      const [running] = queue;
      if (running && running.id === body.prompt_id) {
        fake.interrupted.push(running.id);
        end(running, { error: 'interrupted' });
      }
      response.writeHead(200).end();
    } else if (got.path === '/prompt') {
      const item = { id: body.prompt_id ?? 'its-own', graph: body.prompt ?? {} };
      const plan = planOf(item);
      if (plan.refused !== undefined) {
        const error = { type: 'prompt_outputs_failed_validation', message: 'Failed', details: '' };
        const reason = { type: 'value_not_in_list', message: 'Value not in list' };
        const errors = [{ ...reason, details: plan.refused }];
        json(response, 400, { error, node_errors: { 4: { errors, class_type: 'UNETLoader' } } });
        return;
      }
      if (plan.drops !== 'before') {
        fake.orders.push(item);
        queue.push(item);
      }
      if (plan.drops) response.destroy();
      else json(response, 200, { prompt_id: item.id, number: 1, node_errors: {} });
    } else {
      response.writeHead(404).end();
    }
  }

  function get({ path }: Got, response: ServerResponse): void {
    const url = new URL(path, 'http://comfy');
    const listed = queue.map(({ id, graph }) => [1, id, graph, {}, ['9']]);
    if (url.pathname === '/system_stats') {
      json(response, 200, { system: { comfyui_version: fake.version }, devices: [] });
    } else if (url.pathname === '/queue') {
      json(response, 200, { queue_running: listed.slice(0, 1), queue_pending: listed.slice(1) });
      // An order seen running has ended at the next poll.
      const [running] = queue;
      if (running && !planOf(running).isHeld) end(running, planOf(running));
    } else if (url.pathname.startsWith('/history/')) {
      const id = url.pathname.slice('/history/'.length);
      json(response, 200, history.has(id) ? { [id]: history.get(id) } : {});
    } else if (url.pathname === '/view') {
      const file = files.get(url.searchParams.get('filename') ?? '');
      if (file) response.writeHead(200, { 'content-type': 'image/png' }).end(file);
      else response.writeHead(404).end();
    } else {
      response.writeHead(404).end();
    }
  }

  const server = await startTinyServer((got, response) => {
    if (fake.fault?.(got, response)) return;
    if (got.method === 'POST') post(got, response);
    else get(got, response);
  });
  const fake: FakeComfyUi = {
    ...server,
    plans: new Map(),
    fault: null,
    version: '0.3.64',
    orders: [],
    uploads: [],
    interrupted: [],
    finish() {
      const [running] = queue;
      if (running) end(running, planOf(running));
    },
    restart() {
      queue.length = 0;
      history.clear();
    },
  };
  return fake;
}
