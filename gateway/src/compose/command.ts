import { userInfo } from 'node:os';
import { type Log, messageOf } from '@framegate/contract';
import { isDatabaseTrouble } from '../adapters/mongo/errors.ts';
import type {
  Command,
  CommandApp,
  OfflineCommand,
  OfflineDeps,
  Output,
} from '../commands/command.ts';
import type { ParsedCommand } from '../commands/parseCommandLine.ts';
import { type Config, loadConfig } from '../config.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { ConfigError } from '../settings/setting.ts';
import { type AdminConsole, commandApp, type OperatorsTerminal } from './commandApp.ts';
import { type OpenDatabase, openDatabase, requireSchema } from './openDatabase.ts';

/** The work of a command. */
type Work<Deps> = (deps: Deps) => Promise<Output>;

/**
 * Runs one command of `npm run admin`. Modules that only some commands need are imported on use, so that each command
 * starts quickly.
 * @throws CommandError if the operator can fix the problem; any other error is a bug.
 */
export async function runCommand(
  parsed: Exclude<ParsedCommand, { help: string }>,
  console: AdminConsole,
): Promise<Output> {
  const stop = watchStop();
  try {
    return 'runOffline' in parsed
      ? await runOfflineCommand(parsed.runOffline, parsed.command, console, stop.signal)
      : await runOnDatabase(parsed, console, stop);
  } catch (error) {
    const isRemediable = error instanceof ConfigError || isDatabaseTrouble(error);
    throw isRemediable ? new CommandError(messageOf(error)) : error;
  } finally {
    stop.end();
  }
}

/** Runs a command that needs no database. */
async function runOfflineCommand(
  work: Work<OfflineDeps>,
  { mayLackRoutes = false }: OfflineCommand,
  { report, readLine, environment, openTerminal }: AdminConsole,
  signal: AbortSignal,
): Promise<Output> {
  const config = loadConfig(environment, { mayLackRoutes });
  const log = consoleLog(config.logLevel === 'debug', report);
  const warn: Log['warn'] = (fields, message) => report(`${message}: ${JSON.stringify(fields)}`);
  const parts = { config, log: { ...log, warn }, report, signal };
  const { checkRoutes, placeTestOrderAt } = await import('./routeTools.ts');
  return work({
    checkRoutes: () => checkRoutes(parts),
    async showRoutes(order) {
      const { showRoutes } = await import('./showRoutes.ts');
      return showRoutes(parts, order);
    },
    placeTestOrder: (route, seconds) => placeTestOrderAt(parts, route, seconds),
    async connectRoute(connection, options) {
      const { connectRoute } = await import('./connect/connectRoute.ts');
      const terminal = await openTerminal(signal);
      return connectRoute({ ...parts, readLine, terminal }, connection, options);
    },
  });
}

/** Opens the database for one piece of work and closes it afterwards, even when the process receives a stop signal. */
async function runOnDatabase(
  { command, work, run }: Extract<ParsedCommand, { work: unknown }>,
  console: AdminConsole,
  { signal, advise }: StopHandler,
): Promise<Output> {
  const { needs } = command;
  const isReadOnly = run === null;
  const config = await pointAtRunningTrial(
    loadConfig(console.environment, { isDatabaseOnly: needs === 'any schema' }),
  );
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
  // The operator waits for a migration and sees its progress.
  const isMigration = needs === 'any schema' && !isReadOnly;
  const log = consoleLog(isMigration || config.logLevel === 'debug', console.report);
  const mongo = await openDatabase(config, {
    log,
    role: 'command',
    poolSize: 4,
    isReadOnly,
    signal,
  });
  try {
    const options = { log, isReadOnly, signal };
    if (needs !== 'any schema') await requireSchema(config, mongo, options);
    const deps = {
      ...commandApp(config, mongo, options),
      ...console,
      adviseIfStopped: advise,
    };
    const result = run === null ? work(deps) : runWithEntry(command, run, deps, mongo, work);
    return await Promise.race([stopped, result]);
  } finally {
    await mongo.close();
  }
}

/** The settings with the URLs of the gateway on the embedded database, whose PORT may differ from the one here. */
async function pointAtRunningTrial(config: Config): Promise<Config> {
  if (config.mode === 'production' || config.database.uri !== null) return config;
  const { urlsOfRunning } = await import('../adapters/system/runningTrial.ts');
  return { ...config, urls: urlsOfRunning(config.dataDir) ?? config.urls };
}

/** Runs a command that changes something, with its entry in the audit log. */
async function runWithEntry(
  command: Command,
  { by, ...run }: NonNullable<Extract<ParsedCommand, { work: unknown }>['run']>,
  deps: CommandApp,
  { models }: OpenDatabase,
  work: Work<CommandApp>,
): Promise<Output> {
  const { createAuditLog } = await import('../adapters/mongo/staff/staffStores.ts');
  const { runNoted } = await import('../application/staff/noteCommand.ts');
  const { describeRefusal } = await import('../texts/describeRefusal.ts');
  return runNoted(
    { ...deps, audit: createAuditLog(models, describeRefusal) },
    { ...run, by: by ?? machineUser() },
    (database) =>
      work({
        ...deps,
        database,
        runRemoving: (remove) => deps.runRemoving((removal) => remove({ ...removal, database })),
      }),
    'noted' in command ? command.hasChanged : undefined,
  );
}

/** The name of the system's user; its number if it has no name, as in some containers. */
function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

interface StopHandler {
  /** Aborted by the first stop signal. */
  signal: AbortSignal;
  /** Sets the advice that is printed to the operator then. */
  advise: (text: string) => void;
  end(): void;
}

function watchStop(): StopHandler {
  const stop = new AbortController();
  let advice = '';
  const abort = (by: NodeJS.Signals) =>
    stop.abort(new CommandError(`Stopped by ${by}. ${advice}`.trimEnd()));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const each of signals) process.once(each, abort);
  return {
    signal: stop.signal,
    advise: (text) => void (advice = text),
    end() {
      for (const each of signals) process.off(each, abort);
    },
  };
}

/** A log as plain lines on standard error; without `all`, of errors only. */
function consoleLog(showsAll: boolean, report: OperatorsTerminal['report']): Log {
  const write = (_fields: object, message: string) => {
    report(message);
  };
  const other = showsAll ? write : () => undefined;
  return { debug: other, info: other, warn: other, error: write };
}
