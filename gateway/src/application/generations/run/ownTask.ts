import type { Submission } from '@framegate/provider-routes';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { formatOperation, taskKey } from '../../../domain/generations/providerTask.ts';
import type { AppCore } from '../../app.ts';
import { retryUntilStored } from './paidWork.ts';

const maxTaskIdLength = 200;

/** The route and key with which an order was placed. */
type OrderPlace = Pick<Attempt, 'provider' | 'model' | 'key'>;

const taskIdOf = (
  routes: AppCore['routes'],
  { provider, model, key }: OrderPlace,
  operation: unknown,
) => routes.find(provider, model, key)?.taskIdOf?.(operation) ?? null;

/** The provider's id of a task, as its invoice shows it. Empty if it is unknown, or may contain the provider's key. */
export function taskIdIn(
  { routes }: Pick<AppCore, 'routes'>,
  attempt: OrderPlace,
  { operation, operationShown }: Pick<Attempt, 'operation' | 'operationShown'>,
): Pick<Attempt, 'taskId'> {
  const taskId = taskIdOf(routes, attempt, operation);
  if (!taskId || taskId.length > maxTaskIdLength) return {};
  return operationShown?.includes(taskId) === false ? {} : { taskId };
}

/**
 * Assigns a provider's task to a generation.
 * @returns Null, or another generation that the task belongs to.
 */
export async function assignTask(
  { database, routes }: Pick<AppCore, 'database' | 'routes'>,
  generationId: string,
  attempt: OrderPlace,
  operation: unknown,
): Promise<string | null> {
  const taskId = taskIdOf(routes, attempt, operation) ?? JSON.stringify(operation);
  const owner = await database.tasks.assign(taskKey(attempt, taskId), generationId);
  return owner === generationId ? null : owner;
}

/**
 * Assigns the task with which a submission was answered. If it belongs to another generation, because a cache or a
 * mistake of the provider returned the same task twice, no one may get the other's file: the outcome is unknown, and
 * staff are notified.
 * @param generation As written before the submission.
 * @throws StaleWriteError if another process has the generation.
 */
export async function withOwnTask(
  deps: AppCore,
  generation: Generation,
  attempt: Attempt,
  submission: Submission,
  signal: AbortSignal,
): Promise<Submission> {
  if (submission.kind !== 'accepted' && submission.kind !== 'undelivered') return submission;
  const task: { owner: string | null } = { owner: null };
  await retryUntilStored(deps, generation, signal, async () => {
    task.owner = await assignTask(deps, generation.id, attempt, submission.operation);
  });
  const { owner } = task;
  if (owner === null) return submission;
  const operation = formatOperation(submission);
  const { provider, model, number } = attempt;
  deps.log.error(
    {
      alert: 'task_id_repeated',
      generationId: generation.id,
      provider,
      model,
      attempt: number,
      operation,
      taskOf: owner,
    },
    "provider answered an order with another order's task",
  );
  return { kind: 'unknown', note: `answered with the task of ${owner}: ${operation ?? ''}` };
}
