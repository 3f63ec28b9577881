import { createHash } from 'crypto';
import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

/**
 * Key of an item's create. It is the same for every attempt of Retry On Fail, because n8n runs the whole node again in the
 * same execution, and different for every other n8n, workflow, execution, node, run, item and content, so that two
 * intended creates never share a key.
 * @throws NodeOperationError if n8n provides no execution id for a safe key.
 */
export function executionKey(
  context: IExecuteFunctions,
  itemIndex: number,
  body: { path: string; body: object },
): string {
  const executionId = context.getExecutionId();
  if (!executionId) {
    throw new NodeOperationError(
      context.getNode(),
      'This execution has no ID to derive a key from',
      {
        description:
          'Open Options and set Idempotency Key, so that repeats are never charged twice.',
        itemIndex,
      },
    );
  }
  const runIndex: unknown = context.evaluateExpression('{{ $runIndex }}', itemIndex);
  return `n8n-${digest([
    context.getInstanceId(),
    context.getWorkflow().id ?? '',
    executionId,
    context.getNode().id,
    Number(runIndex),
    itemIndex,
    body,
  ])}`;
}

/** Key of a further attempt after a failed generation; the first attempt uses the key itself. */
export function attemptKey(key: string, attempt: number): string {
  return attempt === 1 ? key : `n8n-${digest([key, attempt])}`;
}

function digest(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
