import { isJsonObject } from '@framegate/contract';

/**
 * The command line is invalid. The message is one sentence for its author; `admin.ts` prints it with a pointer to the
 * usage and exits with status 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The typed flags of a command, with a reader for each kind of value. */
export interface Flags {
  /** @throws UsageError if missing or empty. */
  text(name: string): string;
  /** Null if absent. @throws UsageError if empty. */
  textOrNull(name: string): string | null;
  /** All values of a repeatable flag. */
  texts(name: string): string[];
  /** Whether a switch is on. */
  isOn(name: string): boolean;
  /** Whether a flag with a value was given. */
  has(name: string): boolean;
  /** A whole number in the range; undefined if absent. @throws UsageError if invalid. */
  wholeNumber(name: string, min: number, max: number): number | undefined;
  /** One of the given words; undefined if absent. @throws UsageError if invalid. */
  choice<T extends string>(name: string, words: readonly T[]): T | undefined;
  /** A JSON object. @param example An example for the error message. @throws UsageError if invalid. */
  json(name: string, example: string): object;
  /** A time in ms since the epoch; undefined if absent. @throws UsageError if invalid. */
  time(name: string): number | undefined;
}

/** The result of `parseArgs` of node:util. */
export type FlagValues = Readonly<
  Record<string, string | boolean | (string | boolean)[] | undefined>
>;

/** A day, or a time with its zone, because a time without one would depend on the machine. */
const isoMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/;

/** Reads the values of `parseArgs` as the flags of a command. */
export function parseFlags(values: FlagValues): Flags {
  const one = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    text(name) {
      const value = one(name);
      if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
      return value;
    },
    textOrNull(name) {
      return values[name] === undefined ? null : this.text(name);
    },
    texts: (name) => [values[name] ?? []].flat().map(String),
    has: (name) => values[name] !== undefined,
    isOn: (name) => values[name] === true,
    wholeNumber(name, min, max) {
      const value = one(name);
      if (value === undefined) return undefined;
      const number = /^\d{1,16}$/.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      throw new UsageError(
        `--${name} must be a whole number from ${min} to ${max}, but is "${value}".`,
      );
    },
    choice(name, words) {
      const value = one(name);
      const word = words.find((each) => each === value);
      if (value === undefined || word !== undefined) return word;
      throw new UsageError(`--${name} must be one of ${words.join(', ')}, but is "${value}".`);
    },
    json(name, example) {
      try {
        const value: unknown = JSON.parse(one(name) ?? '');
        if (isJsonObject(value)) return value;
      } catch {
        // Reported below.
      }
      throw new UsageError(`--${name} must be a JSON object, such as ${example}.`);
    },
    time(name) {
      const value = one(name);
      if (value === undefined) return undefined;
      const moment = isoMoment.test(value) ? Date.parse(value) : NaN;
      if (!Number.isNaN(moment)) return moment;
      throw new UsageError(
        `--${name} must be a date, or a time with a time zone such as 2030-01-31T12:00:00Z, but is "${value}".`,
      );
    },
  };
}
