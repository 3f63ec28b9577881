import type { Attempt } from './attempt.ts';

/** The provider's handle as JSON without the provider's key; null without a handle. */
export function operationText({
  operation,
  operationShown,
}: Pick<Attempt, 'operation' | 'operationShown'>): string | null {
  return operationShown ?? (operation === null ? null : JSON.stringify(operation));
}
