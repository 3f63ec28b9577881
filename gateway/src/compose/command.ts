import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { requestReload } from '../adapters/mongo/processRegistry.ts';
import { createCatalogueStore } from '../adapters/mongo/catalogue/catalogueStore.ts';
import { isDatabaseTrouble } from '../adapters/mongo/errors.ts';
import { createLedgerAudit } from '../adapters/mongo/credits/ledgerAudit.ts';
import {
  createAccountList,
  createOperatorKeyStore,
} from '../adapters/mongo/staff/operatorStores.ts';
import { checkpointFiles } from '../adapters/system/checkpointFiles.ts';
import { createRandom } from '../adapters/system/random.ts';
import { completeSecrets } from '../adapters/system/secretsFile.ts';
import type { ApartCommand, ApartDeps, Command, CommandApp } from '../commands/command.ts';
import type { ParsedCommand } from '../commands/parseCommandLine.ts';
import type { Log } from '../application/ports/system.ts';
import { loadConfig, type Config } from '../config.ts';
import { routeGroups } from '../settings/checks.ts';
import { ConfigError } from '../settings/setting.ts';
import { firstSecret } from '../domain/accounts/apiKey.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { composePasswords } from './passwords.ts';
import { type OpenDatabase, judgeDatabase, openDatabase, requireSchema } from './openDatabase.ts';

/** The operator's terminal. */
type Console = Pick<CommandApp, 'print' | 'tell' | 'readLine'>;

type Output = Record<string, unknown>;
type Work<Deps> = (deps: Deps) => Promise<Output>;

/**
 * Runs one command of `npm run admin`. Modules that only some commands need are imported on use, so that each command
 * starts quickly.
 * @throws CommandError if the operator can fix the problem; any other error is a bug.
 */
export async function runCommand(
  parsed: Exclude<ParsedCommand, { help: string }>,
  console: Console,
): Promise<Output> {
  try {
    return 'apart' in parsed
      ? await runApart(parsed.apart, parsed.command, console)
      : await runOnDatabase(parsed, console);
  } catch (error) {
    const isRemediable = error instanceof ConfigError || isDatabaseTrouble(error);
    throw isRemediable ? new CommandError((error as Error).message) : error;
  }
}

/** Runs a command that needs no database. */
async function runApart(
  work: Work<ApartDeps>,
  { startsRoutes = false }: ApartCommand,
  { tell, readLine }: Console,
): Promise<Output> {
  const config = loadConfig(undefined, { startsRoutes });
  const signal = stopSignal();
  const log = consoleLog(config.logLevel === 'debug', tell);
  const warn: Log['warn'] = (fields, message) => tell(`${message}: ${JSON.stringify(fields)}`);
  const tools = { config, log: { ...log, warn }, tell, signal };
  const { checkRoutes, orderOnce } = await import('./routeTools.ts');
  return work({
    checkRoutes: () => checkRoutes(tools),
    async showRoutes(order) {
      const { showRoutes } = await import('./showRoutes.ts');
      return showRoutes(tools, order);
    },
    tryRoute: (route, seconds) => orderOnce(tools, route, seconds),
    async connectRoute(wanted, options) {
      const { openTerminal } = await import('../adapters/system/terminal.ts');
      const { connectRoute } = await import('./connect/connectRoute.ts');
      return connectRoute({ ...tools, readLine, terminal: openTerminal(signal) }, wanted, options);
    },
  });
}

/** Opens the database for one piece of work and closes it afterwards, even when the process receives a stop signal. */
async function runOnDatabase(
  { command, work, run }: Extract<ParsedCommand, { work: unknown }>,
  console: Console,
): Promise<Output> {
  const { needs } = command;
  const readsOnly = run === null;
  const config = await atRunningTrial(
    loadConfig(undefined, { databaseOnly: needs === 'any schema' }),
  );
  let advice = '';
  const signal = stopSignal(() => advice);
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
  // The operator waits for a migration and sees its progress.
  const isMigration = needs === 'any schema' && !readsOnly;
  const log = consoleLog(isMigration || config.logLevel === 'debug', console.tell);
  const opened = await openDatabase(config, {
    log,
    role: 'command',
    poolSize: 4,
    readsOnly,
    signal,
  });
  try {
    const options = { log, readsOnly, signal };
    if (needs !== 'any schema') await requireSchema(config, opened, options);
    const deps = {
      ...prepare(config, opened, options),
      ...console,
      adviseIfStopped: (text: string) => void (advice = text),
    };
    const noted = run === null ? work(deps) : runWithEntry(command, run, deps, opened, work);
    return await Promise.race([stopped, noted]);
  } finally {
    await opened.close();
  }
}

/** With the addresses of the gateway that runs on the embedded database: its PORT may differ from the settings here. */
async function atRunningTrial(config: Config): Promise<Config> {
  if (config.mode === 'production' || config.database.uri !== null) return config;
  const { addressesOfRunning } = await import('../adapters/system/runningTrial.ts');
  return { ...config, urls: addressesOfRunning(config.dataDir) ?? config.urls };
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
  const { refusalWords } = await import('../texts/refusalWords.ts');
  return runNoted(
    { ...deps, audit: createAuditLog(models, refusalWords) },
    { ...run, by: by ?? machineUser() },
    (database) =>
      work({
        ...deps,
        database,
        removing: (remove) => deps.removing((removal) => remove({ ...removal, database })),
      }),
    'noted' in command ? command.hasChanged : undefined,
  );
}

/** The user whom the machine knows; its number where it has no name, as in some containers. */
function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Aborted by the first stop signal, which prints advice to the operator. */
function stopSignal(advice: () => string = () => ''): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort(new CommandError(`Stopped by ${signal}. ${advice()}`.trimEnd()));
    });
  }
  return stop.signal;
}

/** The dependencies of commands. */
function prepare(
  config: Config,
  opened: OpenDatabase,
  { log, signal }: { log: Log; signal: AbortSignal },
): Omit<CommandApp, keyof Console | 'adviseIfStopped'> {
  const { database, clock } = opened;
  const random = createRandom(clock);
  return {
    database,
    clock,
    random,
    passwords: composePasswords(config, log),
    ledgerAudit: createLedgerAudit(opened.client, opened.collections),
    async auditThreads() {
      const { createLedgerThreads } = await import('./ledgerThreads.ts');
      return createLedgerThreads(opened.uri);
    },
    defaultLimits: config.limits,
    audit: {
      async *since(sinceMs) {
        const { createAuditLog } = await import('../adapters/mongo/staff/staffStores.ts');
        const { refusalWords } = await import('../texts/refusalWords.ts');
        yield* createAuditLog(opened.models, refusalWords).since(sinceMs);
      },
    },
    async enrolmentLink(accountId, setsPassword) {
      const { openEnrolmentLink } = await import('./staff.ts');
      return openEnrolmentLink(config, { ...opened, random }, { accountId, setsPassword });
    },
    schema: () => judgeDatabase(opened),
    feed: opened.feed,
    async migrate() {
      // A newer schema is refused; an older one is the reason for this command.
      await requireSchema({ mode: 'development' }, opened, { log, readsOnly: true });
      return opened.migrate(signal);
    },
    async invite(email) {
      const { invite } = await import('../application/site/signUp.ts');
      const secrets = completeSecrets(config.secrets, config.dataDir).sessionKeys;
      return invite({ clock, secrets, accountUrl: config.urls.account }, email);
    },
    forgottenPasswordUrl: `${config.urls.account}/forgotten-password`,
    autoApprovedHosts: config.inputHosts.autoApproved,
    async removing(work) {
      const secrets = completeSecrets(config.secrets, config.dataDir);
      const { createStaffWrites } = await import('../adapters/mongo/staff/staffStores.ts');
      const { composeMedia } = await import('./media.ts');
      const media = await composeMedia(config, { secrets, clock, log });
      try {
        const staffWrites = createStaffWrites(opened.collections);
        return await work({ ...media.files, database, clock, log, staffWrites });
      } finally {
        media.close();
      }
    },
    async withDeliveries(work) {
      const { createDeliveryStore } = await import('../adapters/mongo/providers/providerStores.ts');
      const deliveries = createDeliveryStore(opened.collections, clock, log);
      try {
        await deliveries.refresh();
        return await work(deliveries);
      } finally {
        deliveries.stop();
      }
    },
    catalogues: createCatalogueStore(opened.collections),
    requestedCatalogue: () => config.catalogue,
    belowCost: async () => (await import('./belowCost.ts')).belowCost(config),
    routeGroups: () => routeGroups(config.routes?.content),
    async publishCatalogue() {
      const { publishOnce } = await import('./catalogues.ts');
      return publishOnce(opened, config.catalogue, log);
    },
    checkpoints: checkpointFiles,
    operatorKeys: createOperatorKeyStore(opened.models),
    accountList: createAccountList(opened.collections),
    requestReload: () => requestReload(opened.collections, clock, randomUUID()),
    async secretStatus() {
      const { createSecretStore } = await import('../adapters/mongo/signIn/secretStore.ts');
      const { secretStatus } = await import('../application/upkeep/secretStatus.ts');
      const store = createSecretStore(opened.collections, clock);
      return secretStatus({
        store,
        clock,
        secrets: completeSecrets(config.secrets, config.dataDir),
      });
    },
    async orders() {
      const { createFindOrders } = await import('../adapters/mongo/staff/providerOrders.ts');
      return createFindOrders(opened.collections);
    },
    readCsv: async (path) => (await import('./csvFile.ts')).readCsv(path),
    pepper: () => firstSecret(completeSecrets(config.secrets, config.dataDir).keyPeppers),
  };
}

/** Plain lines on standard error; without `all` only errors, so that the result stands alone. */
function consoleLog(all: boolean, tell: Console['tell']): Log {
  const write = (_fields: object, message: string) => {
    tell(message);
  };
  const silent = () => undefined;
  return all
    ? { debug: write, info: write, warn: write, error: write }
    : { debug: silent, info: silent, warn: silent, error: write };
}
