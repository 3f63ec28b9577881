import { dayMs } from '@framegate/contract';

/** A generation of the simulated API. */
export interface SimulatedGeneration {
  id: string;
  key: string;
  body: string;
  createdAt: number;
  endsAt: number;
  isFailed: boolean;
}

/** The API's reaction to the next create. */
export interface Plan {
  /** How long the generation takes, in ms. */
  lastsMs: number;
  isFailed?: boolean;
}

/** The API as the app sees it, on a given clock: creates, replays, polls and prices. */
export interface SimulatedApi {
  generations: SimulatedGeneration[];
  /** Every POST: its key, and whether it made a generation. */
  posts: { key: string; isCreated: boolean }[];
  /** Asked for each generation made; its number counts from 0. */
  plan: (number: number) => Plan;
  /** While true, every request fails after its work is done. */
  isDown: boolean;
  respond(
    request: { url: string; method: string; body?: Buffer; headers: object },
    nowMs: number,
  ): object;
}

/** How long a key is kept, in ms. */
const keptMs = 7 * dayMs;

export function simulateApi(): SimulatedApi {
  const api: SimulatedApi = {
    generations: [],
    posts: [],
    plan: () => ({ lastsMs: 90_000 }),
    isDown: false,
    respond({ url, method, body, headers }, nowMs) {
      const path = new URL(url).pathname;
      const answered =
        method === 'POST'
          ? create(new Headers({ ...headers }).get('idempotency-key') ?? '', String(body), nowMs)
          : read(path, nowMs);
      return api.isDown ? response(503, {}, nowMs) : answered;
    },
  };

  function create(key: string, body: string, nowMs: number): object {
    const former = api.generations.find(
      (each) => each.key === key && nowMs - each.createdAt < keptMs,
    );
    api.posts.push({ key, isCreated: former === undefined && body !== '{}' });
    if (former !== undefined && former.body !== body) {
      return refused(422, 'idempotency_key_reused', nowMs);
    }
    if (former !== undefined) {
      return response(202, record(former, former.createdAt), nowMs, {
        'idempotent-replayed': 'true',
      });
    }
    if (body === '{}') return refused(400, 'invalid_request', nowMs);
    const { lastsMs, isFailed = false } = api.plan(api.generations.length);
    const made = {
      id: `gen_${String(api.generations.length).padStart(26, '0')}`,
      key,
      body,
      createdAt: nowMs,
      endsAt: nowMs + lastsMs,
      isFailed,
    };
    api.generations.push(made);
    return response(202, record(made, nowMs), nowMs);
  }

  function read(path: string, nowMs: number): object {
    const generation = api.generations.find(({ id }) => path.endsWith(id));
    if (generation === undefined) return refused(404, 'generation_not_found', nowMs);
    return response(200, record(generation, nowMs), nowMs);
  }
  return api;
}

/** A generation at a point in time, limited to the fields that the app reads. */
function record(generation: SimulatedGeneration, nowMs: number): object {
  const { id, createdAt, endsAt, isFailed } = generation;
  const started = {
    id,
    type: 'video',
    created_at: new Date(createdAt).toISOString(),
    parameters: {},
    billing: { cost_credits: 12 },
  };
  if (nowMs < endsAt) return { ...started, status: 'processing', retry_after_seconds: 30 };
  const ended = { ...started, completed_at: new Date(endsAt).toISOString() };
  if (!isFailed) return { ...ended, status: 'completed', output: { urls: [] } };
  return { ...ended, status: 'failed', error: { code: 'generation_failed', retryable: true } };
}

function refused(status: number, code: string, nowMs: number): object {
  return response(status, { error: { code, details: [] } }, nowMs);
}

function response(
  status: number,
  data: object,
  nowMs: number,
  headers: Record<string, string> = {},
): object {
  const all: Record<string, string> = { ...headers, date: new Date(nowMs).toUTCString() };
  return { status, data, getHeader: (name: string) => all[name] };
}
