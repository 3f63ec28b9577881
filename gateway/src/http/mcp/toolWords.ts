/** Terms of the API and their equivalents in the tools, longer terms first. */
const names: readonly (readonly [api: string, tool: string])[] = [
  ['an Idempotency-Key header', 'an idempotency_key'],
  ['Idempotency-Key', 'idempotency_key'],
  ['a different body', 'different arguments'],
  ['the original body', 'the original arguments'],
  ['GET /models', 'list_models'],
  ['Retry-After', 'retry_after_seconds'],
];

/** Rewords a message of the API for the caller of a tool. */
export function inToolWords(sentence: string): string {
  return names.reduce((text, [api, tool]) => text.replaceAll(api, tool), sentence);
}
