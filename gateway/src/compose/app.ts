import { createInvitationStore } from '../adapters/mongo/accounts/invitationStore.ts';
import { createKeyUseStore } from '../adapters/mongo/accounts/keyUseStore.ts';
import { createTeamLogStore } from '../adapters/mongo/accounts/teamLogStore.ts';
import { createCatalogueStore } from '../adapters/mongo/catalogue/catalogueStore.ts';
import { createFindUsage } from '../adapters/mongo/credits/usageReport.ts';
import { createJobQueries } from '../adapters/mongo/jobs/jobQueries.ts';
import { createAttemptStore } from '../adapters/mongo/signIn/attemptStore.ts';
import { createConfirmationStore } from '../adapters/mongo/signIn/confirmationStore.ts';
import {
  createCustomerFactorStore,
  createPasskeyStore,
  createSecondFactorStore,
} from '../adapters/mongo/signIn/factorStores.ts';
import {
  createSessionStore,
  createStaffSessionStore,
} from '../adapters/mongo/signIn/sessionStores.ts';
import { createSignInLinkStore } from '../adapters/mongo/signIn/signInLinkStore.ts';
import {
  createAccountList,
  createOperatorKeyStore,
  createOperatorRequestStore,
} from '../adapters/mongo/staff/operatorStores.ts';
import { createFindCostLines, createStaffQueries } from '../adapters/mongo/staff/staffQueries.ts';
import {
  createAuditLog,
  createProposalStore,
  createStaffWrites,
} from '../adapters/mongo/staff/staffStores.ts';
import { createWallStores } from '../adapters/mongo/wall/wallStores.ts';
import { actor } from '../adapters/system/actor.ts';
import { createPasskeyReader } from '../adapters/system/passkeyReader.ts';
import { createTotp } from '../adapters/system/totp.ts';
import { type Allowances, createAllowances } from '../application/allowances.ts';
import type { App } from '../application/app.ts';
import { createGuessLimiter } from '../application/authenticate.ts';
import { createEqualRequests } from '../application/generations/create/runIdempotently.ts';
import { shareReports } from '../application/operator/sharedReports.ts';
import type { Passwords } from '../application/ports/system.ts';
import { createCostReports } from '../application/staff/costs.ts';
import { shareResult } from '../application/staff/figures.ts';
import { createFindIncidents } from '../application/staff/incidents.ts';
import { firstSecret } from '../domain/accounts/apiKey.ts';
import { createSafetyPolicy } from '../domain/generations/safetyPolicy.ts';
import { readCatalogueFile } from '../settings/catalogueFile.ts';
import { deadlineOf } from '../settings/timeSettings.ts';
import { describeRefusal } from '../texts/describeRefusal.ts';
import type { ConfigAndDatabase, CoreParts } from './core.ts';
import { composePasswords } from './passwords.ts';
import { composeSignOn } from './signOn.ts';

/** Parts that tests replace. */
export interface ReplaceableParts {
  allowances?: Allowances | undefined;
  passwords?: Passwords | undefined;
}

/** Assembles the parts of a process that answers requests. */
export async function composeApp(
  core: CoreParts & ReplaceableParts,
): Promise<App & ConfigAndDatabase> {
  const { config, mongo, clock, log } = core;
  const { collections, models } = mongo;
  const attempts = createAttemptStore(collections);
  const staffQueries = createStaffQueries(models, collections, mongo.lookups, clock);
  return {
    // Many settings are parts under their own names.
    ...config,
    ...core,
    allowances: core.allowances ?? createAllowances(core),
    equalRequests: createEqualRequests(),
    safety: createSafetyPolicy(config.safety),
    idempotencyKeptMs: config.idempotencyKeptSeconds * 1000,
    auditKeptMs: config.auditKeptSeconds * 1000,
    waitingDeadlineMs: (modelId) => deadlineOf(config.waitingDeadline, modelId) * 1000,
    pepper: firstSecret(core.keyPeppers),
    keyUses: createKeyUseStore(models, clock, log),
    guesses: createGuessLimiter({ attempts, clock, log }),
    actor,
    passwords: composePasswords(core),
    sessions: createSessionStore(models, collections),
    attempts,
    confirmations: createConfirmationStore(models),
    customerFactors: createCustomerFactorStore(models),
    totp: createTotp(config.brand.name),
    invitations: createInvitationStore(models),
    signInLinks: createSignInLinkStore(models, collections, mongo.runTransaction),
    signInWays: config.signIn.ways,
    signOn: await composeSignOn(core),
    teamLog: createTeamLogStore(models),
    ...createWallStores(mongo),
    audit: createAuditLog(models, describeRefusal),
    staffQueries,
    staffWrites: createStaffWrites(collections),
    proposals: createProposalStore(models),
    staffSessions: createStaffSessionStore(models, collections),
    staffFactors: createSecondFactorStore(models),
    passkeys: createPasskeyStore(models),
    passkeyReader: createPasskeyReader(config.urls.console),
    staffFactor: config.signIn.staffFactor,
    consoleUrl: config.urls.console,
    findIncidents: shareResult(createFindIncidents({ ...core, staffQueries }), clock),
    costs: createCostReports(createFindCostLines(collections), clock),
    jobQueries: createJobQueries(collections, clock),
    operatorKeys: createOperatorKeyStore(models),
    operatorRequests: createOperatorRequestStore(models),
    accountList: createAccountList(collections),
    feed: mongo.feed,
    findUsage: shareReports(createFindUsage(collections), clock),
    markTakenDown: mongo.markTakenDown,
    catalogues: createCatalogueStore(collections),
    readCatalogueFile: () => readCatalogueFile(config.catalogue),
  };
}
