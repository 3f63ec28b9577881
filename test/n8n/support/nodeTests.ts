import type { TestAccount } from '../../support/gateway.ts';
import type { Item, NodeError } from './builtNode.ts';
import { runNode, type RunOptions } from './runNode.ts';
import type { Framegate } from './startFramegate.ts';

/** Price of the `video` below, in credits. */
export const videoCredits = 12;

/** The value of a model field. */
export const model = (value: string) => ({ __rl: true, mode: 'list', value });

/** Parameters of Video: Create. */
export function video(prompt: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ resource: 'video', operation: 'create', model: model('alpha-2.0-mini'), prompt },
    parameters: { durationSeconds: 4, resolution: '480p' },
    ...more,
  };
}

/** Parameters of Generation: Get or Wait. */
export function generation(
  operation: 'get' | 'wait',
  id: unknown,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const generationId = { __rl: true, mode: 'id', value: id };
  return { resource: 'generation', operation, generationId, ...more };
}

/** Runs the node with the key of an account. */
export function runWith(
  framegate: Framegate,
  account: TestAccount,
  params: RunOptions['params'],
  more: Partial<RunOptions> = {},
): Promise<Item[]> {
  const { baseUrl } = framegate;
  return runNode({ baseUrl, apiKey: account.apiKey, params, ...more });
}

/** The error that a run ends with. @throws Error when it does not. */
export async function failureOf(work: Promise<unknown>): Promise<NodeError> {
  try {
    await work;
  } catch (error) {
    return error as NodeError;
  }
  throw new Error('the node did not fail');
}
