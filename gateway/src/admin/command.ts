import type { LedgerAudit } from '../application/admin/ports.ts';
import type { Clock } from '../application/ports/clock.ts';
import type { Database } from '../application/ports/database.ts';
import type { Passwords } from '../application/ports/passwords.ts';
import type { Random } from '../application/ports/random.ts';
import type { OperatorAction } from '../application/staff/rights.ts';
import type { RemovalDeps } from '../application/staff/staffDeps.ts';
import type { VersionedSecret } from '../domain/apiKey.ts';
import type { Limits } from '../domain/limits.ts';
import type { Flags } from './flags.ts';

/** What commands work with. */
export interface AdminDeps {
  database: Database;
  clock: Clock;
  random: Random;
  passwords: Passwords;
  audit: LedgerAudit;
  defaultLimits: Limits;
  autoApprovedHosts: readonly string[];
  /** Opens the media store and what else is needed to remove things, for one piece of work. */
  removing<T>(work: (deps: RemovalDeps) => Promise<T>): Promise<T>;
  /** Writes to the audit log what an operator did about an account of staff. */
  noteOperator(action: OperatorAction, accountId: string, result: string): Promise<void>;
  /** Opens a one-time link by which a member of staff enrols. */
  enrolmentLink(accountId: string, setsPassword: boolean): Promise<string>;
  /** Where the owner of an account chooses a password, with a mailed code. */
  forgottenPasswordUrl: string;
  /** The first line of standard input; empty when there is none. */
  readLine(): Promise<string>;
  /** Writes to standard output; resolves when it has been taken. */
  print(text: string): Promise<void>;
  /** Tells the operator on standard error how far the command is. */
  tell: (text: string) => void;
  /** What the operator is told beside it when the command is stopped before it has an outcome. */
  adviseIfStopped(advice: string): void;
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
  /** Whether its work prints something else than JSON, and has no output. */
  printsItself?: boolean;
  /** Whether its output tells of something broken: exit status 1. */
  isBad?(output: Output): boolean;
}
