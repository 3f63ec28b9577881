import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { compiledFolder } from '../../support/runNode.ts';
import type { AttemptTask, Outcome } from './attempt.ts';
import type { ObservedApi } from './observedApi.ts';
import type { ZapierPlatform } from './zapierPlatform.ts';

/** The package, installed and built by installApp.ts. */
export const appFolder = join(import.meta.dirname, '../../../integrations/zapier');

/** A step of a Zap as a user set it up. */
export interface ZapStep {
  /** Path of the function, such as `creates.create_video.operation.perform`. */
  method: string;
  inputData?: Record<string, unknown>;
  inputDataRaw?: Record<string, unknown>;
  meta?: Record<string, unknown>;
  authData: Record<string, string>;
}

/** How Zapier runs a step. */
export interface RunOptions {
  /** z.cache; null: every call of it fails. */
  platform: ZapierPlatform | null;
  api: ObservedApi;
  /** Events while Zapier waits, after the attempt with this number, from 1. */
  betweenAttempts?: (attempt: number) => Promise<void> | void;
  /** Callback with each process as it starts. */
  onProcess?: (child: ChildProcess) => void;
  /** Ms by which Zapier exceeds the requested delay. */
  lateMs?: number;
  /** Start of the run in ms, by the fast clock. */
  startsAt?: number;
  handlerFile?: string;
  folder?: string;
  /** A step that needs more attempts never ends and fails its test. */
  maxAttempts?: number;
}

/** A finished step. */
export interface Ran {
  attempts: number;
  /** Seconds that Zapier was asked to wait, in order. */
  delays: number[];
  outcome: Outcome;
}

/** Values of a step, by key. */
export type Values = Record<string, unknown>;

/** Result of a run. @throws Error when it ended with one. */
export function results<T = Values>({ outcome }: Ran): T {
  if (!outcome.ok) throw new Error(`${outcome.name}: ${outcome.message}`);
  return outcome.results as T;
}

/**
 * Runs a step as Zapier does: each attempt in a new process, again after the delay of a ThrottledError, and immediately
 * after a killed process. Delays pass on a fast clock.
 */
export async function runStep(step: ZapStep, options: RunOptions): Promise<Ran> {
  const { maxAttempts = 30 } = options;
  const delays: number[] = [];
  let aheadMs = options.startsAt ?? 0;
  for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
    options.api.aheadMs = aheadMs;
    const outcome = await attempt(step, options, aheadMs);
    if (outcome !== null) {
      if (outcome.ok || outcome.name !== 'ThrottledError') return { attempts, delays, outcome };
      const delay = outcome.delay ?? 60;
      delays.push(delay);
      aheadMs += delay * 1000 + (options.lateMs ?? 0);
    }
    await options.betweenAttempts?.(attempts);
  }
  throw new Error(`the step did not end within ${maxAttempts} attempts`);
}

/** One attempt; null when its process was killed. */
function attempt(step: ZapStep, options: RunOptions, aheadMs: number): Promise<Outcome | null> {
  const { platform, handlerFile, folder = appFolder } = options;
  const { method, inputData = {}, inputDataRaw = {}, meta = {}, authData } = step;
  const event = {
    command: 'execute',
    method,
    bundle: { authData, inputData, inputDataRaw, meta },
    ...(platform && { rpc_base: platform.rpcUrl, token: 'a token of Zapier' }),
  };
  const { PATH } = process.env;
  const child = fork(join(import.meta.dirname, 'attempt.ts'), [], {
    env: {
      NODE_COMPILE_CACHE: compiledFolder,
      ...(PATH && { PATH }),
      ...(platform && { LOGGING_ENDPOINT: platform.logUrl }),
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  options.onProcess?.(child);
  const task: AttemptTask = { folder, event, aheadMs, ...(handlerFile && { handlerFile }) };
  child.send(task);
  return new Promise((resolve, reject) => {
    let outcome: Outcome | null = null;
    child.once('message', (message) => (outcome = message as Outcome));
    child.once('error', reject);
    child.once('exit', () => resolve(outcome));
  });
}
