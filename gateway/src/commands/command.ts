import type { App } from '../application/app.ts';
import type { AuditThreads } from '../application/credits/audit/auditPage.ts';
import type { RequestedCatalogue } from '../application/ports/catalogue.ts';
import type { CheckpointFiles, LedgerAudit } from '../application/ports/ledgerAudit.ts';
import type { Feed } from '../application/ports/operator.ts';
import type { ProcessReload } from '../application/ports/providers.ts';
import type { AuditLog } from '../application/ports/staff.ts';
import type { FindOrders } from '../application/ports/staffQueries.ts';
import type { DeliveryStore } from '../application/ports/upkeep.ts';
import type { Invitation } from '../application/signIn/signUp.ts';
import type { NotedWhen } from '../application/staff/noteCommand.ts';
import type { VersionedSecret } from '../domain/accounts/apiKey.ts';
import type { CatalogueVersion } from '../domain/catalogue/catalogue.ts';
import type { SchemaVerdict, StoredSchema } from '../domain/installation/schemaVersion.ts';
import type { JudgedVersion } from '../domain/installation/secretVersions.ts';
import type { ConnectOptions, WantedConnection } from '../domain/providers/connection.ts';
import type { CsvRows } from '../domain/providers/invoice.ts';
import type { Flags } from './flags.ts';

/** A comparison of a catalogue with its routes; null for a part that was not compared. */
export interface ComparedWithRoutes {
  /** Orders whose price lies below their cost; null without CREDIT_VALUE. */
  below_cost: object[] | null;
  /** Values that no route sends. */
  not_sent: object[] | null;
}

/** Dependencies of the commands of `npm run admin`: parts of a running process, and their own. */
export interface CommandApp extends Pick<
  App,
  | 'accountList'
  | 'autoApprovedHosts'
  | 'catalogues'
  | 'clock'
  | 'database'
  | 'defaultLimits'
  | 'operatorKeys'
  | 'passwords'
  | 'random'
> {
  ledgerAudit: LedgerAudit;
  /** Threads that help to check a large ledger. */
  auditThreads(): Promise<AuditThreads>;
  /** Runs work that removes data, with the media store open. */
  runRemoving<T>(
    work: (deps: Pick<App, 'database' | 'clock' | 'media' | 'log' | 'staffWrites'>) => Promise<T>,
  ): Promise<T>;
  audit: Pick<AuditLog, 'listSince'>;
  /** Creates a one-time link for the enrolment of a staff member. */
  makeEnrolmentLink(accountId: string, setsPassword: boolean): Promise<string>;
  /** Creates the sign-up link for the owner of a mailbox. */
  invite(email: string): Promise<Invitation>;
  /** The page where an account's owner chooses a password with a mailed code. */
  forgottenPasswordUrl: string;
  /** The first line of standard input; empty if there is none. */
  readLine(): Promise<string>;
  /** Writes to standard output; resolves when written. */
  print(text: string): Promise<void>;
  /** Reports the command's progress on standard error. */
  report: (text: string) => void;
  /** Sets the advice to print if the command is stopped before its outcome is known. */
  adviseIfStopped(advice: string): void;
  /** Compares the database's schema with this code. */
  loadSchema(): Promise<{ stored: StoredSchema; codeVersion: number; verdict: SchemaVerdict }>;
  /** Runs the missing migrations. @returns Their versions. @throws CommandError */
  migrate(): Promise<number[]>;
  feed: Pick<Feed, 'beginEpoch'>;
  /** Makes all running processes re-read ROUTES_FILE. @returns Each one's result. */
  requestReload(): Promise<ProcessReload[]>;
  /** Runs work with the delivery records of the routes. */
  withDeliveries<T>(work: (deliveries: DeliveryStore) => Promise<T>): Promise<T>;
  /** The versions of secrets that are configured or still needed. */
  judgeSecrets(): Promise<JudgedVersion[]>;
  /** The account groups named in ROUTES_FILE. */
  routeGroups(): readonly string[];
  /** Publishes the catalogue of the settings, even if it is a former one. @returns The newest version afterwards. */
  publishCatalogue(): Promise<{ result: string; version: CatalogueVersion }>;
  /** The catalogue requested by the settings. */
  requestedCatalogue(): Omit<RequestedCatalogue, 'isOperators'>;
  /** Compares that catalogue with ROUTES_FILE. @throws CommandError with every problem of that file. */
  compareWithRoutes(): Promise<ComparedWithRoutes>;
  /** Checkpoints of the ledger. */
  checkpoints: CheckpointFiles;
  /** Reads the orders at providers. */
  openOrders(): Promise<FindOrders>;
  /** Reads a CSV file. @throws CommandError */
  readCsv(path: string): Promise<CsvRows>;
  /** The first pepper, read only when a key is made. */
  pepper(): VersionedSecret;
}

/** The output of a command, one JSON object. */
export type Output = Record<string, unknown>;

/** Properties of every command of `npm run admin`. */
interface CommandBase {
  /** Flags as shown in the usage. */
  usage: string;
  /** Description for the usage and docs/operating/admin.md. */
  summary: string;
  /** Accepted flags, by kind; an operand is given without its name. */
  flags: Readonly<Record<string, 'text' | 'texts' | 'switch' | 'operand'>>;
  /**
   * Parses the flags before anything is opened, and returns the work, which imports its use case only then: help and a
   * mistyped flag load none.
   * @throws UsageError for an invalid flag.
   */
  prepare(flags: Flags): (deps: CommandApp) => Promise<Output>;
  /** Requirements on the database; if absent, a matching schema and all settings. */
  needs?: 'any schema';
  /** Whether it prints something other than JSON, and has no output. */
  printsItself?: boolean;
  /** Whether its output reports a fault, giving exit status 1. */
  isBad?(output: Output): boolean;
}

/** One command of `npm run admin`: it changes nothing, or declares when its entry in the audit log is written. */
export type Command = CommandBase &
  (
    | {
        /** The command writes nothing to the database, not even a record of its process. */
        isReadOnly: true;
      }
    | {
        noted: NotedWhen;
        /** Whether the output reports a change; if absent, every run without an error counts as one. */
        hasChanged?: (output: Output) => boolean;
      }
  );

/** Dependencies of commands that need no database. */
export interface OfflineDeps {
  /** Checks ROUTES_FILE as at startup. @returns The resulting offer of each model. */
  checkRoutes(): Promise<Output>;
  /** The requests that an order would send; sends none. @param order.mode Null for the model's first mode. */
  showRoutes(order: { model: string; mode: string | null; parameters: unknown }): Promise<Output>;
  /** Places one real order at a route. @param seconds Time limit. */
  placeTestOrder(route: { provider: string; model: string }, seconds: number): Promise<Output>;
  /** Connects a provider, and writes the operator's files. */
  connectRoute(connection: WantedConnection, options: ConnectOptions): Promise<Output>;
}

/** A command that needs no database. */
export type OfflineCommand = Pick<
  CommandBase,
  'usage' | 'summary' | 'flags' | 'isBad' | 'printsItself'
> & {
  /** Whether ROUTES_FILE may be missing, because the command writes it. */
  mayLackRoutes?: boolean;
  /** Like `prepare` of a database command. */
  prepareOffline(flags: Flags): (deps: OfflineDeps) => Promise<Output>;
};
