import { randomUUID } from 'node:crypto';
import type { Log } from '@framegate/contract';
import { createCatalogueStore } from '../adapters/mongo/catalogue/catalogueStore.ts';
import { createLedgerAudit } from '../adapters/mongo/credits/ledgerAudit.ts';
import { requestReload } from '../adapters/mongo/requestReload.ts';
import {
  createAccountList,
  createOperatorKeyStore,
} from '../adapters/mongo/staff/operatorStores.ts';
import { checkpointFiles } from '../adapters/system/checkpointFiles.ts';
import { createRandom } from '../adapters/system/random.ts';
import { completeSecrets } from '../adapters/system/secretsFile.ts';
import type { Terminal } from '../application/ports/system.ts';
import type { CommandApp } from '../commands/command.ts';
import type { Config } from '../config.ts';
import { firstSecret } from '../domain/accounts/apiKey.ts';
import { routeGroups } from '../settings/routesFile.ts';
import type { Environment } from '../settings/setting.ts';
import { judgeDatabase, type OpenDatabase, requireSchema } from './openDatabase.ts';
import { composePasswords } from './passwords.ts';

/** The operator's terminal. */
export type OperatorsTerminal = Pick<CommandApp, 'print' | 'report' | 'readLine'>;

/** Input and output of a command's process. */
export interface AdminConsole extends OperatorsTerminal {
  /** Otherwise the process's own. */
  environment?: Environment;
  /** Terminal for questions; null if no one is there to answer. */
  openTerminal: (signal: AbortSignal) => Promise<Terminal | null>;
}

/** Composes the dependencies of commands. */
export function commandApp(
  config: Config,
  mongo: OpenDatabase,
  { log, signal }: { log: Log; signal: AbortSignal },
): Omit<CommandApp, keyof OperatorsTerminal | 'adviseIfStopped'> {
  const { database, clock } = mongo;
  const random = createRandom(clock);
  return {
    database,
    clock,
    random,
    passwords: composePasswords({ config, log }),
    ledgerAudit: createLedgerAudit(mongo.client, mongo.collections),
    async auditThreads() {
      const { createLedgerThreads } = await import('./ledgerThreads.ts');
      return createLedgerThreads(mongo.uri);
    },
    defaultLimits: config.limits,
    audit: {
      async *listSince(sinceMs) {
        const { createAuditLog } = await import('../adapters/mongo/staff/staffStores.ts');
        const { describeRefusal } = await import('../texts/describeRefusal.ts');
        yield* createAuditLog(mongo.models, describeRefusal).listSince(sinceMs);
      },
    },
    async makeEnrolmentLink(accountId, setsPassword) {
      const { openEnrolmentLink } = await import('./staff.ts');
      return openEnrolmentLink({ ...mongo, config, random }, { accountId, setsPassword });
    },
    loadSchema: () => judgeDatabase(mongo),
    feed: mongo.feed,
    async migrate() {
      // A newer schema is refused; an older one is the reason for this command.
      await requireSchema({ mode: 'development' }, mongo, { log, isReadOnly: true });
      return mongo.migrate(signal);
    },
    async invite(email) {
      const { makeInvitationLink } = await import('../application/signIn/signUp.ts');
      const { sessionKeys } = completeSecrets(config.secrets, config.dataDir);
      return makeInvitationLink({ clock, sessionKeys, accountUrl: config.urls.account }, email);
    },
    forgottenPasswordUrl: `${config.urls.account}/forgotten-password`,
    autoApprovedHosts: config.inputHosts.autoApproved,
    async runRemoving(work) {
      const allSecrets = completeSecrets(config.secrets, config.dataDir);
      const { createStaffWrites } = await import('../adapters/mongo/staff/staffStores.ts');
      const { composeMedia } = await import('./media.ts');
      const media = await composeMedia({ config, allSecrets, clock, log });
      try {
        const staffWrites = createStaffWrites(mongo.collections);
        return await work({ ...media.files, database, clock, log, staffWrites });
      } finally {
        media.stop();
      }
    },
    async withDeliveries(work) {
      const { createDeliveryStore } = await import('../adapters/mongo/providers/providerStores.ts');
      const deliveries = createDeliveryStore(mongo.collections, clock, log);
      try {
        await deliveries.refresh();
        return await work(deliveries);
      } finally {
        deliveries.stop();
      }
    },
    catalogues: createCatalogueStore(mongo.collections),
    requestedCatalogue: () => config.catalogue,
    async compareWithRoutes() {
      const { compareWithRoutes: comparedWithRoutes } = await import('./compareWithRoutes.ts');
      return comparedWithRoutes(config);
    },
    routeGroups: () => routeGroups(config.routes?.content),
    async publishCatalogue() {
      const { publishOnce } = await import('./catalogues.ts');
      return publishOnce({ config, mongo, log });
    },
    checkpoints: checkpointFiles,
    operatorKeys: createOperatorKeyStore(mongo.models),
    accountList: createAccountList(mongo.collections),
    requestReload: () => requestReload(mongo.collections, clock, randomUUID()),
    async judgeSecrets() {
      const { createSecretStore } = await import('../adapters/mongo/signIn/secretStore.ts');
      const { judgeSecrets: secretStatus } = await import('../application/upkeep/secretStatus.ts');
      const store = createSecretStore(mongo.collections, clock);
      return secretStatus({
        store,
        clock,
        secrets: completeSecrets(config.secrets, config.dataDir),
      });
    },
    async openOrders() {
      const { createFindOrders } = await import('../adapters/mongo/staff/providerOrders.ts');
      return createFindOrders(mongo.collections);
    },
    readCsv: async (path) => (await import('./csvFile.ts')).readCsv(path),
    pepper: () => firstSecret(completeSecrets(config.secrets, config.dataDir).keyPeppers),
  };
}
