import { createHash } from 'node:crypto';
import { simulateApi, type SimulatedApi } from './simulatedApi.ts';

/*
 * Zapier and the API as models in one process and on one clock, so that days of runs, lost caches and killed processes
 * take milliseconds. The step is the app's own code.
 */

interface Order {
  path: '/videos' | '/images';
  body: Record<string, unknown>;
  requestKey: string | undefined;
  maxCredits: number | undefined;
  shouldWait: boolean;
}

interface Step {
  dueAt?: number | null;
}

interface Created {
  reading: { record: { id: string } };
  isShared: boolean | null;
}

// Imported by URL, because their types come from Zapier's core, which only the app installs.
const source = (file: string) =>
  import(new URL(`../../../integrations/zapier/src/${file}`, import.meta.url).href);
const { createGeneration } = (await source('createGeneration.ts')) as {
  createGeneration: (step: Step, order: Order) => Promise<Created>;
};
const { videoOutput } = (await source('output.ts')) as {
  videoOutput: (z: object, created: Created, credits: null) => object;
};

/** One run of a step, with all its attempts. */
export interface SimulatedRun {
  /** When it begins, in ms. */
  atMs: number;
  /** Each connection has a cache of its own. */
  connection?: number;
  order?: Partial<Order>;
  /** Attempts whose process is killed right after their first POST, from 1. */
  killedAttempts?: readonly number[];
  /** Attempts before which the cache of the connection is lost, from 1. */
  losesCacheBefore?: readonly number[];
  /** Ms by which Zapier exceeds the requested delay. */
  lateMs?: number;
  /** The attempt after which Zapier gives the run up, from 1. */
  givenUpAfter?: number;
  /** Ms after which the run is replayed once when an error ended it. */
  replayAfterMs?: number;
}

export interface SimulatedOutcome {
  attempts: number;
  /** The generation handed over. */
  id?: string;
  isShared?: boolean | null;
  /** Name and message of the error that ended the run. */
  error?: { name: string; message: string };
}

class Killed extends Error {
  override readonly name = 'Killed';
}

/** Zapier's errors, by name. */
function errorClass(name: string) {
  return class extends Error {
    override name = name;
  };
}
const errors = Object.fromEntries(
  ['Error', 'HaltedError', 'ExpiredAuthError', 'ThrottledError'].map((name) => [
    name,
    errorClass(name),
  ]),
);

export interface SimulatedWorld {
  api: SimulatedApi;
  /** Whether z.cache works. */
  hasCache: boolean;
  /** Plays the runs in the order of their attempts. */
  play(runs: readonly SimulatedRun[]): Promise<SimulatedOutcome[]>;
}

/** An arbitrary step: a short video. */
const defaultOrder: Order = {
  path: '/videos',
  body: { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A kite' },
  requestKey: undefined,
  maxCredits: undefined,
  shouldWait: true,
};

export function simulateZapier(): SimulatedWorld {
  const api = simulateApi();
  const caches = new Map<number, Map<string, string>>();
  const world: SimulatedWorld = { api, hasCache: true, play };

  async function play(runs: readonly SimulatedRun[]): Promise<SimulatedOutcome[]> {
    const outcomes = runs.map((): SimulatedOutcome => ({ attempts: 0 }));
    const queue = runs.map(({ atMs }, index) => ({ atMs, index, isReplay: false }));
    for (;;) {
      queue.sort((one, other) => other.atMs - one.atMs);
      const next = queue.pop();
      if (next === undefined) return outcomes;
      const { index } = next;
      const [run, outcome] = [runs[index], outcomes[index]];
      if (run === undefined || outcome === undefined) throw new Error('no such run');
      const due = await attempt(run, outcome, next.atMs);
      if (outcome.attempts > 500) throw new Error('the run does not end');
      if (due !== null && run.givenUpAfter !== outcome.attempts) {
        queue.push({ ...next, atMs: due + (run.lateMs ?? 0) });
      }
      if (outcome.error && run.replayAfterMs !== undefined && !next.isReplay) {
        queue.push({ index, isReplay: true, atMs: next.atMs + run.replayAfterMs });
      }
    }
  }

  /** One attempt. @returns When Zapier runs the step again; null when the run has ended. */
  async function attempt(run: SimulatedRun, outcome: SimulatedOutcome, atMs: number) {
    outcome.attempts += 1;
    delete outcome.error;
    const { attempts } = outcome;
    const { connection = 0, killedAttempts = [], losesCacheBefore = [] } = run;
    if (losesCacheBefore.includes(attempts)) caches.delete(connection);
    const cache = caches.get(connection) ?? new Map<string, string>();
    caches.set(connection, cache);
    const isKilled = killedAttempts.includes(attempts);
    const step = makeStep(atMs, cache, isKilled);
    try {
      const created = await createGeneration(step, { ...defaultOrder, ...run.order });
      videoOutput(step.z, created, null);
      Object.assign(outcome, { id: created.reading.record.id, isShared: created.isShared });
      return null;
    } catch (error) {
      if (error instanceof Killed) return atMs + 1_000;
      const { name, message } = error as Error;
      if (name === 'ThrottledError') {
        return step.nowMs() + Number((error as { cause?: unknown }).cause) * 1000;
      }
      outcome.error = { name, message };
      return null;
    }
  }

  function makeStep(atMs: number, cache: Map<string, string>, isKilled: boolean) {
    let nowMs = atMs;
    const z = {
      errors: { ...errors, ThrottledError: Throttled },
      dehydrateFile: (_hydrator: unknown, file: object) => file,
      hash: (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex'),
      cache: {
        get: (key: string) => recall(() => JSON.parse(cache.get(key) ?? 'null') as unknown),
        set: (key: string, value: unknown) =>
          recall(() => cache.set(key, JSON.stringify(value)).size > 0),
      },
      request(request: { url: string; method: string; body?: Buffer; headers: object }) {
        nowMs += 100;
        const response = api.respond(request, nowMs);
        if (isKilled && request.method === 'POST') throw new Killed();
        return Promise.resolve(response);
      },
    };
    const authData = {
      base_url: 'https://api.example.com/v1',
      api_key: `fg_live_${'x'.repeat(38)}`,
    };
    return {
      z,
      bundle: { authData, inputData: {}, meta: {} },
      mayRunAgain: true,
      mayChargeAgain: false,
      about: {},
      dueAt: null,
      elapsedMs: () => nowMs - atMs,
      nowMs: () => nowMs,
      pause(ms: number) {
        nowMs += ms;
        return Promise.resolve();
      },
    };
  }

  async function recall<T>(read: () => T): Promise<T> {
    if (!world.hasCache) throw new Error('No token found - cannot call RPC');
    return Promise.resolve(read());
  }
  return world;
}

class Throttled extends Error {
  override readonly name = 'ThrottledError';

  constructor(message: string, seconds: number) {
    super(message, { cause: seconds });
  }
}
