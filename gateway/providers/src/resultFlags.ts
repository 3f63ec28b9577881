import Joi from 'joi';
import type { Exchange } from './exchanges.ts';
import { parseJson } from './unknownJson.ts';

/** A field next to a finished result in which a provider says that its filter refused the content. */
export interface ResultFlag {
  /** The names that lead to it, joined by dots; names before them and lists in between are ignored. */
  at: string;
  /** The values that mean a refusal; if absent, `true`. A list counts if one of its members is among them. */
  is?: readonly (string | number | boolean)[];
}

/** The fields of a flag, in ROUTES_FILE and in the description of a provider. */
export const flagFields = {
  at: Joi.string()
    .max(200)
    .pattern(/^[\w-]+(\.[\w-]+)*$/, 'a field of the response, such as has_nsfw_concepts')
    .required(),
  is: Joi.array().items(Joi.string().max(200), Joi.number(), Joi.boolean()).max(50),
};

/** The flags that several providers and servers use under the same name, and none of them in another meaning. */
const commonFlags: readonly ResultFlag[] = [
  { at: 'has_nsfw_concepts' },
  { at: 'nsfw_content_detected' },
  { at: 'nsfw_detected' },
  { at: 'has_nsfw' },
];

/**
 * The flags of a provider. The operator's replace others with the same place, so that one without values switches a
 * flag off.
 */
export function flagsOf(
  own: readonly ResultFlag[] = [],
  operators: readonly ResultFlag[] = [],
): ResultFlag[] {
  const places = new Set(operators.map(({ at }) => at));
  return [...operators, ...[...own, ...commonFlags].filter(({ at }) => !places.has(at))];
}

/** Members of a response that repeat the order, whose fields say nothing about the result. */
const echoes = /^(input|inputs|request|parameters|params|options|arguments|payload)$/i;

const maxDepth = 8;
/** Fields of a response that are read: more than any result has in addition to its files. */
const maxFields = 10_000;

/**
 * The flag that is set next to a finished result, as text for staff; null if none is.
 * @param responses The provider's responses, and the values that its package returned.
 */
export function flagIn(responses: readonly unknown[], flags: readonly ResultFlag[]): string | null {
  let left = maxFields;
  for (const [path, value] of fieldsIn(responses)) {
    if ((left -= 1) < 0) return null;
    for (const { at, is = [true] } of flags) {
      const isThere = `.${path}`.endsWith(`.${at}`);
      if (isThere && (is as readonly unknown[]).includes(value)) return `${at}: ${String(value)}`;
    }
  }
  return null;
}

/** The plain values of a response, each with the names that lead to it. */
function* fieldsIn(value: unknown, path = '', depth = maxDepth): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) {
    yield [path, value];
  } else if (depth > 0) {
    for (const [name, member] of Object.entries(value)) {
      if (Array.isArray(value)) {
        yield* fieldsIn(member, path, depth - 1);
      } else if (!echoes.test(name)) {
        yield* fieldsIn(member, path ? `${path}.${name}` : name, depth - 1);
      }
    }
  }
}

/** The responses to a call, parsed. */
export function responsesIn(exchanges: readonly Exchange[]): unknown[] {
  return exchanges.map(({ body, outline }) => parseJson(body ?? outline ?? ''));
}
