import Joi from 'joi';
import { withoutEndSlashes } from '@framegate/contract';

/**
 * One setting: the conversion of its text from the environment, and its documentation. docs/operating/settings.md and
 * .env.example are generated from these.
 */
export interface Setting<T> {
  /** Default, in the notation of the setting; null without one. */
  fallback: string | null;
  /** Description of a default that depends on other settings. */
  fallbackText?: string;
  /** Unit of its number. */
  unit: string;
  /** One or two sentences for the operator. */
  meaning: string;
  /** Completes "it must be …". */
  allowed: string;
  /** Never shown in messages. */
  isSecret: boolean;
  schema: Joi.Schema<T>;
}

/** The options of every kind of setting, besides its bounds. */
interface Description {
  fallback?: string;
  fallbackText?: string;
  unit?: string;
  meaning: string;
  isSecret?: boolean;
}

function createSetting<T, D extends Description>(
  description: D,
  allowed: string,
  schema: Joi.Schema<T>,
): Setting<D extends { fallback: string } ? T : T | null> {
  const { fallback = null, fallbackText, unit = '', meaning, isSecret = false } = description;
  const shared = { fallback, unit, meaning, allowed, isSecret, schema };
  return fallbackText === undefined ? shared : { ...shared, fallbackText };
}

/** A whole number within bounds. */
export function wholeNumber<D extends Description>(description: D & { min: number; max: number }) {
  const { min, max } = description;
  return createSetting<number, D>(
    description,
    `a whole number from ${min} to ${max}`,
    Joi.number().integer().min(min).max(max),
  );
}

/** One of the given words. */
export function choice<T extends string, D extends Description>(
  description: D & { of: readonly T[] },
) {
  const { of: words } = description;
  const schema: Joi.Schema = Joi.string().valid(...words);
  return createSetting<T, D>(description, `one of ${words.join(', ')}`, schema);
}

/** `true` or `false`. */
export function flag<D extends Description>(description: D) {
  return createSetting<boolean, D>(description, 'true or false', Joi.boolean().sensitive());
}

/** A file or folder; relative paths start at the working directory. */
export function pathSetting<D extends Description>(description: D) {
  const schema = Joi.string().max(4096);
  return createSetting<string, D>(description, 'a path of at most 4,096 characters', schema);
}

/** A text that matches a pattern. */
export function textSetting<D extends Description>(
  description: D & { allowed: string; pattern: RegExp },
) {
  const schema = Joi.string().pattern(description.pattern);
  return createSetting<string, D>(description, description.allowed, schema);
}

/**
 * A value parsed from the text.
 * @param parse Throws an Error whose message names the problem.
 */
export function parsedSetting<T, D extends Description>(
  description: D & { allowed: string },
  parse: (text: string) => T,
) {
  const schema = Joi.any().custom((value: string) => parse(value));
  return createSetting<T, D>(description, description.allowed, schema);
}

/** The items of a comma-separated list, trimmed. */
export function commaSeparated(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

/**
 * Parses a public URL of the gateway: http or https, without user, query and fragment. A trailing slash is dropped,
 * so that paths can be appended.
 * @throws Error naming the problem.
 */
export function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
    throw new Error('it is not an http or https URL');
  }
  if (url.username !== '' || url.password !== '') throw new Error('it contains a user name');
  if (text.includes('?') || text.includes('#')) {
    throw new Error('it contains a query or a fragment');
  }
  return withoutEndSlashes(url.href);
}

/** Parses a URL for links on pages: a page or a mailbox. @throws Error naming the problem. */
export function parseLink(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^(https?|mailto):$/.test(url.protocol)) {
    throw new Error('it is not an https, http or mailto address');
  }
  return url.href;
}

/** Parses a connection string with one of these schemes; its client checks the rest. */
export function parseConnectionUrl(schemes: readonly string[]): (text: string) => string {
  return (text) => {
    const scheme = /^([a-z+]+):\/\/[^/]/.exec(text)?.[1];
    if (scheme === undefined || !schemes.includes(scheme)) {
      throw new Error('it has another scheme, or no host');
    }
    return text;
  };
}

/** A problem of one setting. */
export interface ConfigProblem {
  setting: string;
  /** A complete sentence with the setting, its value (never a secret) and the allowed values. */
  message: string;
}

/** A problem of a setting: a sentence that starts with its name. @param what The rest, such as `is not set: …`. */
export const problemWith = (setting: string, what: string): ConfigProblem => ({
  setting,
  message: `${setting} ${what}`,
});

/**
 * The settings prevent a start. The message is for the operator and lists every problem. `admin.ts` catches it
 * to print the message without a stack trace, as `main.ts` does with every error.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
    const lines = problems.map(({ message }) => `  - ${message}`);
    super([`Framegate cannot start: ${count} a change.`, ...lines].join('\n'));
    this.problems = problems;
  }
}

/** The environment, or a stand-in for it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of a table of settings. */
export type ParsedValues<S> = { [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/**
 * Parses every setting of a table; an empty one counts as unset.
 * @returns The valid values, and the problems of the rest.
 */
export function parseSettings<S extends Record<string, Setting<unknown>>>(
  table: S,
  env: Environment,
): { values: Partial<ParsedValues<S>>; problems: ConfigProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  for (const [name, setting] of Object.entries(table)) {
    const raw = env[name]?.trim();
    const text = raw === undefined || raw === '' ? setting.fallback : raw;
    if (text === null) {
      values[name] = null;
      continue;
    }
    const { value, error } = validate(setting.schema, text);
    if (error === undefined) values[name] = value;
    else problems.push({ setting: name, message: explain(name, setting, text, error) });
  }
  return { values: values as Partial<ParsedValues<S>>, problems };
}

/** Types Joi's result, which is `any`. */
function validate(
  schema: Joi.Schema,
  text: string,
): { value: unknown; error: Joi.ValidationError | undefined } {
  return schema.validate(text);
}

function explain(
  name: string,
  setting: Setting<unknown>,
  text: string,
  error: Joi.ValidationError,
): string {
  const was = setting.isSecret
    ? `${name} (its value is not shown)`
    : `${name} is "${shorten(text)}"`;
  const cause: unknown = error.details[0]?.context?.['error'];
  const detail = cause instanceof Error ? `${cause.message}; ` : '';
  return `${was}: ${detail}it must be ${setting.allowed}.`;
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
