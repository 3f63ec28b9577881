import type { LedgerAudit } from '../application/accounts/ports.ts';
import type { Clock, Passwords, Random } from '../application/ports/system.ts';
import type { ProcessReload } from '../application/ports/providers.ts';
import type { Database } from '../application/ports/database.ts';
import type { OperatorAction } from '../domain/staffRights.ts';
import type { Invitation } from '../application/site/signUp.ts';
import type { StaffWrites } from '../application/staff/ports.ts';
import type { WorkDeps } from '../application/generations/deps.ts';
import type { VersionedSecret } from '../domain/apiKey.ts';
import type { Limits } from '../domain/account.ts';
import type { SchemaVerdict, StoredSchema } from '../domain/schemaVersion.ts';
import type { JudgedVersion } from '../domain/secretVersions.ts';

/** The parts of the commands of `npm run admin`. */
export interface AdminDeps {
  database: Database;
  clock: Clock;
  random: Random;
  passwords: Passwords;
  audit: LedgerAudit;
  defaultLimits: Limits;
  autoApprovedHosts: readonly string[];
  /** Opens the media store and what else is needed to remove things, for one piece of work. */
  removing<T>(
    work: (deps: {
      work: Pick<WorkDeps, 'database' | 'clock' | 'media' | 'log'>;
      writes: StaffWrites;
    }) => Promise<T>,
  ): Promise<T>;
  /** Writes to the audit log what an operator did about an account of staff. */
  noteOperator(action: OperatorAction, accountId: string, result: string): Promise<void>;
  /** Opens a one-time link by which a member of staff enrols. */
  enrolmentLink(accountId: string, setsPassword: boolean): Promise<string>;
  /** Makes the address by which the owner of a mailbox signs up. */
  invite(email: string): Invitation;
  /** Where the owner of an account chooses a password, with a mailed code. */
  forgottenPasswordUrl: string;
  /** The first line of standard input; empty when there is none. */
  readLine(): Promise<string>;
  /** Writes to standard output; resolves when it has been taken. */
  print(text: string): Promise<void>;
  /** Tells the operator on standard error how far the command is. */
  tell: (text: string) => void;
  /** Sets the advice that is printed when the command is stopped before it has an outcome. */
  adviseIfStopped(advice: string): void;
  /** How the database's schema goes with this code. */
  schema(): Promise<{ stored: StoredSchema; codeVersion: number; verdict: SchemaVerdict }>;
  /** Runs the migrations that the database lacks. @returns their versions. @throws PlainRefusal */
  migrate(): Promise<number[]>;
  /** Has all running processes read ROUTES_FILE again. @returns what each of them made of it. */
  askToReload(): Promise<ProcessReload[]>;
  /** How the versions of secrets stand that the settings have or that are needed. */
  secretStatus(): Promise<JudgedVersion[]>;
  /** The pepper that makes; read only when a key is made. */
  pepper(): VersionedSecret;
}

/** What a command prints, as one JSON object. */
type Output = Record<string, unknown>;

/** One command of `npm run admin`. */
export interface Command {
  /** The flags as the usage shows them. */
  usage: string;
  /** What it does, for the usage and docs/operating.md. */
  summary: string;
  /** The flags by kind; a command takes no others. */
  flags: Readonly<Record<string, 'text' | 'texts' | 'switch'>>;
  /**
   * Reads the flags before anything is opened, and returns the work.
   * @throws UsageError for a wrong flag.
   */
  read(flags: Flags): (deps: AdminDeps) => Promise<Output>;
  /** Of the settings and of the database; a schema that fits and all settings where it is absent. */
  needs?: 'any schema';
  /** Whether it writes nothing to the database, not even that the process runs. */
  readsOnly?: boolean;
  /** Whether its work prints something else than JSON, and has no output. */
  printsItself?: boolean;
  /** Whether its output reports something broken: exit status 1. */
  isBad?(output: Output): boolean;
}

/** The parts of a command that works without the database. */
export interface ApartDeps {
  /** Checks ROUTES_FILE as a start does. @returns what each model then offers. */
  checkRoutes(): Promise<Output>;
  /** Gives one real order to a route. @param seconds After which it gives up. */
  tryRoute(route: { provider: string; model: string }, seconds: number): Promise<Output>;
}

/** A command that works without the database. */
export type ApartCommand = Pick<
  Command,
  'usage' | 'summary' | 'flags' | 'isBad' | 'printsItself'
> & {
  /** As `read` of a command on the database. */
  readApart(flags: Flags): (deps: ApartDeps) => Promise<Output>;
};

/** A time as the output shows it. */
export const isoTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/**
 * The command line does not say what to do. The message is one sentence for the person who typed it;
 * `admin.ts` prints it with a hint at the usage and ends with status 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

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
