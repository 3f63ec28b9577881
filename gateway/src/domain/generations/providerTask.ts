import { createHash } from 'node:crypto';
import { dayMs } from '@framegate/contract';
import type { Attempt } from './attempt.ts';

/** How long a task belongs to its generation, in ms: a cache in front of a provider may answer with it for days. */
export const taskKeptMs = 7 * dayMs;

/**
 * The identity of a provider's task: one for each provider, key and task id. Hashed, since an operation can be long and
 * can contain the key.
 * @param taskId The provider's id, or other text that identifies the task.
 */
export function taskKey({ provider, key = '' }: Pick<Attempt, 'provider' | 'key'>, taskId: string) {
  const identity = JSON.stringify([provider, key, taskId]);
  return createHash('sha256').update(identity).digest('base64url');
}

/** The provider's handle as JSON without the provider's key; null without a handle. */
export function formatOperation({
  operation,
  operationShown,
}: Pick<Attempt, 'operation' | 'operationShown'>): string | null {
  return operationShown ?? (operation === null ? null : JSON.stringify(operation));
}
