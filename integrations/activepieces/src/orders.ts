import { createHash } from 'node:crypto';
import type { ActionContext } from '@activepieces/pieces-framework';
import {
  type Framegate,
  type Generation,
  RateLimitError,
  type WaitOptions,
  WaitTimeoutError,
} from '../../typescript/src/index.ts';
import { clientOf, type ConnectionValue, toUserError } from './connection.ts';

/** The part of a step's context that is used here. */
export type Step = { auth: ConnectionValue } & Pick<
  ActionContext,
  'executionType' | 'store' | 'run' | 'step' | 'flows' | 'project' | 'files'
>;

/** The state with which a paused step resumes; `at` is its start, in ms since the epoch. */
export interface Order {
  at: number;
  key: string;
  /** The generation, as soon as it is known. */
  id?: string;
}

type Call<T> = (client: Framegate, order: Order, options: WaitOptions) => Promise<T>;

/** How long a step holds a worker before it pauses the run, and how long it pauses, in ms. */
const patienceMs = 60_000;

/** The key of a step with this content: the same when it is repeated, another in the next turn of a loop. */
export function deriveKey({ project, flows, run, step }: Step, content: object): string {
  const all = JSON.stringify([project.id, flows.current.id, run.id, step.name, content]);
  return `activepieces-${createHash('sha256').update(all).digest('hex').slice(0, 40)}`;
}

/**
 * Runs a call, and pauses the run as often as the call takes longer. The flow's store keeps the order meanwhile, so
 * that the step resumes with it even if its inputs have changed.
 * @returns The result; after a pause, a value that is never shown.
 * @throws Error with its remedy in Activepieces.
 */
export async function play<T>(
  step: Step,
  begun: Omit<Order, 'at'>,
  call: Call<T>,
): Promise<T | Order> {
  const { store, run } = step;
  const name = `framegate_${run.id}_${step.step.name}`;
  // ExecutionType.RESUME; the enumeration is in a package of its own.
  const left = String(step.executionType) === 'RESUME' ? await store.get<Order>(name) : null;
  const order = left ?? { at: Date.now(), ...begun };
  if (!left) await store.put(name, order);
  let storing: Promise<unknown> = Promise.resolve();
  const onUpdate = ({ id }: Generation) => {
    if (order.id === id) return;
    order.id = id;
    storing = store.put(name, order);
    storing.catch(() => undefined);
  };
  try {
    const result = await call(clientOf(step.auth), order, { timeoutMs: patienceMs, onUpdate });
    await storing;
    await store.delete(name);
    return result;
  } catch (error) {
    await Promise.allSettled([storing]);
    if (!(error instanceof WaitTimeoutError || error instanceof RateLimitError)) {
      await store.delete(name).catch(() => undefined);
      throw toUserError(error);
    }
    const resumeDateTime = new Date(Date.now() + patienceMs).toISOString();
    const { id } = await run.createWaitpoint({ type: 'DELAY', resumeDateTime });
    run.waitForWaitpoint(id);
    return order;
  }
}
