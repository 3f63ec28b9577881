import type { IDataObject } from 'n8n-workflow';
import type { GenerationRecord } from '../generated/contract';

/**
 * A generation as a workflow item. `error` is called `failure`: n8n treats an item with a field `error` as failed in
 * the node, and would run the node again or reroute the item.
 * @param isSimplified Only the fields that most workflows use.
 */
export function presentGeneration(
  record: GenerationRecord,
  { isSimplified, hasTimedOut }: { isSimplified: boolean; hasTimedOut?: boolean },
): IDataObject {
  const { error, ...rest } = record;
  const fields = isSimplified ? simplifyRecord(record) : (rest as unknown as IDataObject);
  return {
    ...fields,
    ...(error && { failure: { ...error } }),
    ...(hasTimedOut && { timed_out: true }),
  };
}

function simplifyRecord(record: GenerationRecord): IDataObject {
  const { id, type, model, status, status_url, retry_after_seconds, billing, output } = record;
  return {
    id,
    type,
    model,
    status,
    status_url,
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
    cost_credits: billing.cost_credits,
    ...(billing.refunded_credits !== undefined && { refunded_credits: billing.refunded_credits }),
    ...(output && {
      ...(output.urls[0] !== undefined && { url: output.urls[0] }),
      urls: output.urls,
      expires_at: output.expires_at,
    }),
  };
}
