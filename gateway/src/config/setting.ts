import Joi from 'joi';

/**
 * One setting: how its text in the environment becomes a value, and what people are told about it.
 * docs/operating.md and .env.example are generated from these.
 */
export interface Setting<T> {
  /** What holds when it is not set, as one would write it; null when nothing does. */
  fallback: string | null;
  /** For people, where the default is worked out from other settings. */
  fallbackText?: string;
  /** What its number counts. */
  unit: string;
  /** One or two sentences for the operator. */
  meaning: string;
  /** Completes "… is needed". */
  allowed: string;
  /** Never shown in messages. */
  secret: boolean;
  schema: Joi.Schema<T>;
}

/** What every kind of setting is told beside its bounds. */
interface Words {
  fallback?: string;
  fallbackText?: string;
  unit?: string;
  meaning: string;
  secret?: boolean;
}

function setting<T, F extends Words>(
  words: F,
  allowed: string,
  schema: Joi.Schema<T>,
): Setting<F extends { fallback: string } ? T : T | null> {
  return {
    fallback: words.fallback ?? null,
    ...(words.fallbackText === undefined ? {} : { fallbackText: words.fallbackText }),
    unit: words.unit ?? '',
    meaning: words.meaning,
    allowed,
    secret: words.secret ?? false,
    schema: schema,
  };
}

/** A whole number within bounds. */
export function wholeNumber<F extends Words>(words: F & { min: number; max: number }) {
  const { min, max } = words;
  return setting<number, F>(
    words,
    `a whole number from ${min} to ${max}`,
    Joi.number().integer().min(min).max(max),
  );
}

/** One of a few words. */
export function choice<T extends string, F extends Words>(words: F & { of: readonly T[] }) {
  const schema: Joi.Schema = Joi.string().valid(...words.of);
  return setting<T, F>(words, `one of ${words.of.join(', ')}`, schema);
}

/** `true` or `false`. */
export function flag<F extends Words>(words: F) {
  return setting<boolean, F>(words, 'true or false', Joi.boolean().sensitive());
}

/** A file or folder; relative paths start at the working directory. */
export function path<F extends Words>(words: F) {
  return setting<string, F>(words, 'a path of at most 4096 characters', Joi.string().max(4096));
}

/** Text of a form that a pattern tells. */
export function text<F extends Words>(words: F & { allowed: string; pattern: RegExp }) {
  return setting<string, F>(words, words.allowed, Joi.string().pattern(words.pattern));
}

/**
 * A value that a parser makes of the text.
 * @param parse Throws an Error whose message tells people what is wrong.
 */
export function parsed<T, F extends Words>(
  words: F & { allowed: string },
  parse: (text: string) => T,
) {
  return setting<T, F>(
    words,
    words.allowed,
    Joi.any().custom((value: string) => parse(value)),
  );
}
