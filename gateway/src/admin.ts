import { RoutesFileError } from '@framegate/provider-routes';
import { randomUUID } from 'node:crypto';
import { askToReload } from './adapters/mongo/processRegistry.ts';
import { createCatalogueStore } from './adapters/mongo/catalogueStore.ts';
import { createDeliveryStore } from './adapters/mongo/providerStores.ts';
import { isDatabaseTrouble } from './adapters/mongo/errors.ts';
import { createLedgerAudit } from './adapters/mongo/ledgerStore.ts';
import { createAccountList, createOperatorKeyStore } from './adapters/mongo/operatorStores.ts';
import { createSecretStore } from './adapters/mongo/secretStore.ts';
import { createAuditLog, createStaffWrites } from './adapters/mongo/staffStores.ts';
import { argon2Passwords } from './adapters/system/authentication.ts';
import { createRandom } from './adapters/system/random.ts';
import { completeSecrets } from './adapters/system/secretsFile.ts';
import { UsageError, type AdminDeps, type ApartDeps, type Command } from './admin/command.ts';
import { parseCommandLine } from './admin/commands.ts';
import type { Log } from './application/ports/system.ts';
import { noteOperator } from './application/staff/runAction.ts';
import { secretStatus } from './application/upkeep/secretStatus.ts';
import { loadConfig, type Config } from './config.ts';
import { ConfigError } from './config/setting.ts';
import { invite } from './application/site/signUp.ts';
import { firstSecret } from './domain/apiKey.ts';
import {
  type OpenDatabase,
  judgeDatabase,
  openDatabase,
  requireSchema,
} from './compose/openDatabase.ts';
import { PlainRefusal } from './domain/refusal.ts';

/** Characters of standard input beyond which nothing is read. */
const maxLineLength = 8_192;

/**
 * `npm run admin -- <command>`: one command on the database, its result as one JSON object on standard
 * output, and errors on standard error.
 * @returns the exit status: 0 done, 1 not done or a broken ledger, 2 wrong usage.
 */
async function main(args: readonly string[]): Promise<number> {
  try {
    const asked = parseCommandLine(args);
    if ('help' in asked) {
      process.stdout.write(`${asked.help}\n`);
      return 0;
    }
    const output =
      'apart' in asked ? await runApart(asked.apart) : await run(asked.command, asked.work);
    if (asked.command.printsItself !== true) await print(`${JSON.stringify(output)}\n`);
    return asked.command.isBad?.(output) === true ? 1 : 0;
  } catch (error) {
    tell(explain(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Runs a command that needs no database. */
async function runApart(
  work: (deps: ApartDeps) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const config = loadConfig();
  const signal = stopSignal();
  const log = consoleLog(config.logLevel === 'debug');
  const warn: Log['warn'] = (fields, message) => tell(`${message}: ${JSON.stringify(fields)}`);
  const tools = { config, log: { ...log, warn }, tell, signal };
  // Loaded here, like what few commands need below: the others start in half the time.
  const { checkRoutes, orderOnce } = await import('./compose/routeTools.ts');
  return work({
    checkRoutes: () => checkRoutes(tools),
    tryRoute: (route, seconds) => orderOnce(tools, route, seconds),
  });
}

/** Opens the database for one piece of work and closes it again, also when the process receives a stop signal. */
async function run(
  { needs, readsOnly = false }: Command,
  work: (deps: AdminDeps) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const config = loadConfig(undefined, { databaseOnly: needs === 'any schema' });
  let advice = '';
  const signal = stopSignal(() => advice);
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
  // The operator waits for the progress of a migration.
  const isMigration = needs === 'any schema' && !readsOnly;
  const log = consoleLog(isMigration || config.logLevel === 'debug');
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
    const deps = prepare(config, opened, options, (text) => void (advice = text));
    return await Promise.race([stopped, work(deps)]);
  } finally {
    await opened.close();
  }
}

/** Aborted by the first stop signal, with a sentence for the operator and an action. */
function stopSignal(advice: () => string = () => ''): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort(new PlainRefusal(`Stopped by ${signal}. ${advice()}`.trimEnd()));
    });
  }
  return stop.signal;
}

/** Writes a line to standard error. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Writes to standard output as fast as it is read. @throws PlainRefusal when nothing reads it any more. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error) reject(new PlainRefusal('Standard output was closed before its end.'));
      else resolve();
    });
  });
}

/** The first line of standard input, of which no more is read than a password may have. */
async function readLine(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += String(piece);
    if (text.includes('\n') || text.length > maxLineLength) break;
  }
  return (text.split('\n', 1)[0] ?? '').replace(/\r$/, '');
}

/** The parts that commands work with. */
function prepare(
  config: Config,
  opened: OpenDatabase,
  { log, signal }: { log: Log; signal: AbortSignal },
  adviseIfStopped: (advice: string) => void,
): AdminDeps {
  const { database, clock } = opened;
  const random = createRandom(clock);
  return {
    database,
    clock,
    random,
    passwords: argon2Passwords,
    audit: createLedgerAudit(opened.client, opened.collections),
    defaultLimits: config.limits,
    adviseIfStopped,
    print,
    tell,
    readLine,
    noteOperator: (action, target, result) =>
      noteOperator(
        { ...opened, random, audit: createAuditLog(opened.models) },
        action,
        target,
        result,
      ),
    async enrolmentLink(accountId, setsPassword) {
      const { openEnrolmentLink } = await import('./compose/staff.ts');
      return openEnrolmentLink(config, { ...opened, random }, { accountId, setsPassword });
    },
    schema: () => judgeDatabase(opened),
    async migrate() {
      // A newer schema is refused, an older one is what the command is for.
      await requireSchema({ mode: 'development' }, opened, { log, readsOnly: true });
      return opened.migrate(signal);
    },
    invite(email) {
      const secrets = completeSecrets(config.secrets, config.dataDir).sessionKeys;
      return invite({ clock, secrets, accountUrl: config.urls.account }, email);
    },
    forgottenPasswordUrl: `${config.urls.account}/forgotten-password`,
    autoApprovedHosts: config.inputHosts.autoApproved,
    async removing(work) {
      const secrets = completeSecrets(config.secrets, config.dataDir);
      const { composeMedia } = await import('./compose/media.ts');
      const media = composeMedia(config, { secrets, clock, log });
      try {
        const writes = createStaffWrites(opened.collections, opened.models);
        return await work({ work: { database, clock, media: media.store, log }, writes });
      } finally {
        media.close();
      }
    },
    async withDeliveries(work) {
      const deliveries = createDeliveryStore(opened.collections, clock, log);
      try {
        await deliveries.refresh();
        return await work(deliveries);
      } finally {
        deliveries.stop();
      }
    },
    catalogues: createCatalogueStore(opened.collections),
    wantedCatalogue: () => config.catalogue,
    operatorKeys: createOperatorKeyStore(opened.models),
    accountList: createAccountList(opened.collections),
    askToReload: () => askToReload(opened.collections, clock, randomUUID()),
    secretStatus: () =>
      secretStatus({
        store: createSecretStore(opened.collections, clock),
        clock,
        secrets: completeSecrets(config.secrets, config.dataDir),
      }),
    pepper: () => firstSecret(completeSecrets(config.secrets, config.dataDir).keyPeppers),
  };
}

/** Plain lines on standard error; without `all` only errors, so that a result comes alone. */
function consoleLog(all: boolean): Log {
  const write = (_fields: object, message: string) => {
    tell(message);
  };
  const silent = () => undefined;
  return all
    ? { debug: write, info: write, warn: write, error: write }
    : { debug: silent, info: silent, warn: silent, error: write };
}

/** An error as one line for the operator, where it is one of theirs; a bug comes whole. */
function explain(error: unknown): string {
  if (error instanceof UsageError) {
    return `${error.message} "npm run admin -- --help" shows the commands.`;
  }
  if (!(error instanceof Error)) return String(error);
  const known =
    error instanceof PlainRefusal ||
    error instanceof RoutesFileError ||
    error instanceof ConfigError ||
    isDatabaseTrouble(error);
  return known ? error.message : (error.stack ?? error.message);
}

// `print` reports it.
process.stdout.on('error', () => undefined);
process.exitCode = await main(process.argv.slice(2));
