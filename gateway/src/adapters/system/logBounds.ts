import { redactedMark } from '@framegate/contract';

/** Limits of a log line: length of one text, characters and number of all values, and depth. */
const maxText = 4_000;
const maxCharacters = 16_000;
const maxValues = 200;
const maxDepth = 6;

/** Names of fields whose values are never logged, at any depth. */
const secret: ReadonlySet<string> = new Set([
  'authorization',
  'apiKey',
  'api_key',
  'password',
  'secret',
  'cookie',
  'prompt',
  'url',
  // A provider's response may quote the prompt; staff read it on the generation's page.
  'note',
  'consentReference',
]);

/** Shortens a string for the log. */
export function boundText(text: string, max = maxText): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length} characters)`;
}

/**
 * Limits the fields of a log line to a few kilobytes, whatever a request or a provider sent: long texts are cut, and
 * everything beyond the limits is omitted. Values of secret fields are replaced.
 * @param isWhole Recognises values to leave unchanged because they are formatted later.
 */
export function boundFields(
  fields: Readonly<Record<string, unknown>>,
  isWhole: (value: object) => boolean,
): Record<string, unknown> {
  let [characters, values] = [maxCharacters, maxValues];

  function boundValue(value: unknown, depth: number): unknown {
    values -= 1;
    if (typeof value === 'string') {
      const text = boundText(value, Math.max(0, Math.min(maxText, characters)));
      characters -= text.length;
      return text;
    }
    if (typeof value !== 'object' || value === null || isWhole(value) || 'toJSON' in value) {
      return value;
    }
    if (depth >= maxDepth) return '…';
    return Array.isArray(value)
      ? firstOf(value).map((member) => boundValue(member, depth + 1))
      : members(value, depth + 1);
  }

  function members(object: object, depth: number): Record<string, unknown> {
    const keptFields: Record<string, unknown> = {};
    for (const name in object) {
      if (values <= 0 || characters <= 0) break;
      if (!Object.hasOwn(object, name)) continue;
      characters -= name.length;
      keptFields[boundText(name)] = secret.has(name)
        ? redactedMark
        : boundValue((object as Record<string, unknown>)[name], depth);
    }
    return keptFields;
  }

  const firstOf = (list: readonly unknown[]) =>
    list.slice(0, characters > 0 ? Math.max(0, values) : 0);

  return members(fields, 0);
}
