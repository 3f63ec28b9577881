import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageFolder } from './packageFolder.ts';
import type { Importable } from './workflows.ts';

/** An execution as n8n keeps it. */
export interface Execution {
  id: string;
  status: string;
  /** Runs of each node. */
  runs: Record<string, NodeRun[]>;
  /** The error that ended the execution, if any. */
  error?: { message: string; description?: string };
}

/** One run of a node. */
export interface NodeRun {
  executionTime: number;
  executionStatus: string;
  error?: { message: string; description?: string };
  data?: Record<string, ({ json: Record<string, unknown>; [key: string]: unknown }[] | null)[]>;
}

/** Steps of the tests in n8n, through the requests that its editor sends. */
export interface N8nApi {
  untilReady(): Promise<void>;
  login(email: string, password: string): Promise<void>;
  /** Stores a credential, under an id of n8n's own. @returns That id. */
  addCredential(credential: Importable): Promise<string>;
  /** Stores a workflow. As for any user, n8n finds the credentials of its nodes by their names. */
  addWorkflow(workflow: Importable): Promise<void>;
  /** Starts a stored workflow from its manual trigger. @returns The execution's id. */
  run(workflowId: string, trigger?: string): Promise<string>;
  execution(id: string): Promise<Execution>;
  /** Waits until an execution has one of these states. */
  until(id: string, ...statuses: string[]): Promise<Execution>;
  /** Runs a stored workflow to its end. */
  runToEnd(workflowId: string): Promise<Execution>;
  /** Sends one of the editor's requests, below /rest, and answers its data. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Gets any other content of n8n. */
  get(path: string): Promise<Response>;
  /** The bytes of a binary field. */
  binary(file: { id?: string; data?: string }): Promise<Buffer>;
}

const ended = ['success', 'error', 'canceled', 'crashed'];
const pollMs = 100;
const browserId = 'acceptance';

const { parse } = createRequire(join(packageFolder, 'package.json'))('flatted') as {
  parse: (text: string) => unknown;
};

/** A session with an n8n on this machine. */
export function n8nApi(origin: string): N8nApi {
  let cookie = '';

  /** A read is repeated: n8n may close a connection at the moment of its reuse. */
  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    if (method !== 'GET') return sendOnce(method, path, body);
    return sendOnce(method, path).catch(() => sendOnce(method, path));
  }

  async function sendOnce(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(origin + path, {
      method,
      headers: { 'content-type': 'application/json', 'browser-id': browserId, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  const api: N8nApi = {
    async untilReady() {
      for (;;) {
        const response = await send('GET', '/healthz/readiness').catch(() => undefined);
        if (response?.ok) return;
        await pause();
      }
    },
    async login(emailOrLdapLoginId, password) {
      const response = await send('POST', '/rest/login', { emailOrLdapLoginId, password });
      if (!response.ok) throw new Error(`login: ${await response.text()}`);
      cookie = response.headers.getSetCookie().map(first).join('; ');
    },
    async request(method, path, body) {
      const response = await send(method, `/rest${path}`, body);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (JSON.parse(text) as { data: unknown }).data;
    },
    get: (path) => send('GET', path),
    async addCredential({ name, type, data }) {
      const stored = await api.request('POST', '/credentials', { name, type, data });
      return (stored as { id: string }).id;
    },
    async addWorkflow(workflow) {
      await api.request('POST', '/workflows', workflow);
    },
    async run(workflowId, trigger = 'When clicking ‘Execute workflow’') {
      const workflowData = await api.request('GET', `/workflows/${workflowId}`);
      const body = { workflowData, triggerToStartFrom: { name: trigger } };
      const { executionId } = (await api.request('POST', `/workflows/${workflowId}/run`, body)) as {
        executionId: string;
      };
      return executionId;
    },
    async execution(id) {
      const { status, data } = (await api.request('GET', `/executions/${id}`)) as {
        status: string;
        data: string;
      };
      // While it runs there may be nothing stored yet.
      const { resultData } = (parse(data) ?? {}) as {
        resultData?: { runData?: Execution['runs']; error?: Execution['error'] };
      };
      const { runData: runs = {}, error } = resultData ?? {};
      return { id, status, runs, ...(error && { error }) };
    },
    async until(id, ...statuses) {
      for (;;) {
        const execution = await api.execution(id);
        if (statuses.includes(execution.status)) return execution;
        if (ended.includes(execution.status)) {
          throw new Error(`execution ${id} is ${execution.status}: ${execution.error?.message}`);
        }
        await pause();
      }
    },
    async runToEnd(workflowId) {
      return api.until(await api.run(workflowId), ...ended);
    },
    async binary({ id, data }) {
      if (id === undefined) return Buffer.from(data ?? '', 'base64');
      const response = await send(
        'GET',
        `/rest/binary-data?id=${encodeURIComponent(id)}&action=download`,
      );
      return Buffer.from(await response.arrayBuffer());
    },
  };
  return api;
}

const first = (setCookie: string) => setCookie.split(';')[0] ?? '';

/** Polls a condition. */
const pause = () => new Promise((resolve) => setTimeout(resolve, pollMs));
