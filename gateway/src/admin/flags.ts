import { UsageError } from './usageError.ts';

/** The flags of a command as they were typed, and how each kind of value is read. */
export interface Flags {
  /** @throws UsageError when it is missing or empty. */
  text(name: string): string;
  /** All values of a flag that may be repeated. */
  texts(name: string): string[];
  /** Whether a switch is on. */
  given(name: string): boolean;
  /** Whether a flag with a value was given. */
  has(name: string): boolean;
  /** A whole number from `min`; undefined when the flag is not given. @throws UsageError otherwise. */
  whole(name: string, min: number, max: number): number | undefined;
  /** One of a few words; undefined when the flag is not given. @throws UsageError otherwise. */
  choice<T extends string>(name: string, of: readonly T[]): T | undefined;
  /** A moment in ms since the epoch; undefined when the flag is not given. @throws UsageError otherwise. */
  moment(name: string): number | undefined;
}

/** What `parseArgs` of node:util gives. */
export type FlagValues = Readonly<
  Record<string, string | boolean | (string | boolean)[] | undefined>
>;

/** A day, or a time of day with its zone: without one it would mean another moment on each machine. */
const isoMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/;

/** Reads the values of flags. */
export function readFlags(values: FlagValues): Flags {
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
    texts: (name) => [values[name] ?? []].flat().map(String),
    has: (name) => values[name] !== undefined,
    given: (name) => values[name] === true,
    whole(name, min, max) {
      const value = one(name);
      if (value === undefined) return undefined;
      const number = /^\d{1,16}$/.test(value) ? Number(value) : NaN;
      if (number >= min && number <= max) return number;
      throw new UsageError(
        `--${name} is "${value}": a whole number from ${min} to ${max} is needed.`,
      );
    },
    choice(name, of) {
      const value = one(name);
      const found = of.find((each) => each === value);
      if (value === undefined || found !== undefined) return found;
      throw new UsageError(`--${name} is "${value}": one of ${of.join(', ')} is needed.`);
    },
    moment(name) {
      const value = one(name);
      if (value === undefined) return undefined;
      const moment = isoMoment.test(value) ? Date.parse(value) : NaN;
      if (!Number.isNaN(moment)) return moment;
      throw new UsageError(
        `--${name} is "${value}": a day or a time with its zone is needed, such as 2030-01-31T12:00:00Z.`,
      );
    },
  };
}
