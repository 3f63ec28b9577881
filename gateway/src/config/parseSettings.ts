import type Joi from 'joi';
import type { Setting } from './setting.ts';

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
