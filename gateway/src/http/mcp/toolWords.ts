/** The API's names for things that an agent knows by others. Longer ones come first. */
const names: readonly (readonly [api: string, tool: string])[] = [
  ['an Idempotency-Key header', 'an idempotency_key'],
  ['Idempotency-Key', 'idempotency_key'],
  ['another body', 'other arguments'],
  ['the first body', 'the first arguments'],
  ['GET /models', 'list_models'],
  ['Retry-After', 'retry_after_seconds'],
];

/** A sentence of the API for the caller of a tool, who sees no requests. */
export function inToolWords(sentence: string): string {
  return names.reduce((said, [api, tool]) => said.replaceAll(api, tool), sentence);
}
