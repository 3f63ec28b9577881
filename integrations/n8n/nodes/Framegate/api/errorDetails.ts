import type { IDataObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

/** The two kinds of error that n8n shows with message and description. */
export type ShownError = NodeApiError | NodeOperationError;

/**
 * Attaches values to an error that a workflow may branch on or continue with: ids, codes, sums. With On Error =
 * Continue they are passed on with the message.
 */
export function withDetails<E extends ShownError>(error: E, details: IDataObject): E {
  const entries = Object.entries(details).filter(([, value]) => value !== undefined);
  error.context['details'] = { ...detailsOf(error), ...Object.fromEntries(entries) };
  return error;
}

/** Details attached to an error. */
export function detailsOf({ context }: ShownError): IDataObject {
  return (context['details'] ?? {}) as IDataObject;
}
