import Joi from 'joi';

/**
 * One setting: how its text in the environment becomes a value, and its documentation.
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

/** The options of every kind of setting, in addition to its bounds. */
interface Description {
  fallback?: string;
  fallbackText?: string;
  unit?: string;
  meaning: string;
  secret?: boolean;
}

function setting<T, D extends Description>(
  description: D,
  allowed: string,
  schema: Joi.Schema<T>,
): Setting<D extends { fallback: string } ? T : T | null> {
  const { fallback = null, fallbackText, unit = '', meaning, secret = false } = description;
  const shared = { fallback, unit, meaning, allowed, secret, schema };
  return fallbackText === undefined ? shared : { ...shared, fallbackText };
}

/** A whole number within bounds. */
export function wholeNumber<D extends Description>(description: D & { min: number; max: number }) {
  const { min, max } = description;
  return setting<number, D>(
    description,
    `a whole number from ${min} to ${max}`,
    Joi.number().integer().min(min).max(max),
  );
}

/** One of a few words. */
export function choice<T extends string, D extends Description>(
  description: D & { of: readonly T[] },
) {
  const { of } = description;
  const schema: Joi.Schema = Joi.string().valid(...of);
  return setting<T, D>(description, `one of ${of.join(', ')}`, schema);
}

/** `true` or `false`. */
export function flag<D extends Description>(description: D) {
  return setting<boolean, D>(description, 'true or false', Joi.boolean().sensitive());
}

/** A file or folder; relative paths start at the working directory. */
export function path<D extends Description>(description: D) {
  const schema = Joi.string().max(4096);
  return setting<string, D>(description, 'a path of at most 4096 characters', schema);
}

/** Text that matches a pattern. */
export function text<D extends Description>(description: D & { allowed: string; pattern: RegExp }) {
  const schema = Joi.string().pattern(description.pattern);
  return setting<string, D>(description, description.allowed, schema);
}

/**
 * A value that a parser makes of the text.
 * @param parse Throws an Error whose message says what is wrong.
 */
export function parsed<T, D extends Description>(
  description: D & { allowed: string },
  parse: (text: string) => T,
) {
  const schema = Joi.any().custom((value: string) => parse(value));
  return setting<T, D>(description, description.allowed, schema);
}

/** The items of a comma-separated list, without the blanks around them. */
export function commaSeparated(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

/**
 * Reads a public address of the gateway: http or https, without user, query and fragment. A slash at
 * the end is dropped, so that paths can be put behind it.
 * @throws Error that says what is wrong.
 */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(text)) {
    throw new Error('it is not an http or https URL');
  }
  if (url.username !== '' || url.password !== '') throw new Error('it has a user name in it');
  if (text.includes('?') || text.includes('#')) throw new Error('it has a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

/** Reads an address that pages link to: a page, or a mailbox. @throws Error that says what is wrong. */
export function parseLink(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(https?|mailto):$/.test(url.protocol)) {
    throw new Error('it is not an https, http or mailto address');
  }
  return url.href;
}

/** Reads a connection string by its schemes; its client checks the rest. */
export function parseConnectionUrl(schemes: readonly string[]): (text: string) => string {
  return (text) => {
    const scheme = /^([a-z+]+):\/\/[^/]/.exec(text)?.[1];
    if (scheme === undefined || !schemes.includes(scheme)) {
      throw new Error('it does not start so, or names no host');
    }
    return text;
  };
}

/** What is wrong with one setting. */
export interface ConfigProblem {
  setting: string;
  /** A whole sentence that names the setting, what it was (never a secret) and what is allowed. */
  message: string;
}

/**
 * The settings do not allow a start. The message is for the operator and lists every problem. `admin.ts`
 * catches it to print the message without a stack trace, as `main.ts` does with every error.
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

/** The values that a table of settings gives. */
export type ValuesOf<S> = { [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/**
 * Reads every setting of a table; an empty one counts as not set.
 * @returns What could be read, and what is wrong with the rest.
 */
export function parseSettings<S extends Record<string, Setting<unknown>>>(
  table: S,
  env: Environment,
): { values: Partial<ValuesOf<S>>; problems: ConfigProblem[] } {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  for (const [name, setting] of Object.entries(table)) {
    const given = env[name]?.trim();
    const text = given === undefined || given === '' ? setting.fallback : given;
    if (text === null) {
      values[name] = null;
      continue;
    }
    const { value, error } = validate(setting.schema, text);
    if (error === undefined) values[name] = value;
    else problems.push({ setting: name, message: explain(name, setting, text, error) });
  }
  return { values: values as Partial<ValuesOf<S>>, problems };
}

/** Joi's result, typed: its own type says `any`. */
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
  const was = setting.secret ? `${name} (its value is not shown)` : `${name} is "${shorten(text)}"`;
  const cause: unknown = error.details[0]?.context?.['error'];
  const detail = cause instanceof Error ? `${cause.message}; ` : '';
  return `${was}: ${detail}${setting.allowed} is needed.`;
}

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
