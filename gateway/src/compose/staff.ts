import type { MongoConnection } from '../adapters/mongo/connectMongo.ts';
import { createJobQueries } from '../adapters/mongo/jobQueries.ts';
import { createMailStore } from '../adapters/mongo/mailStore.ts';
import { createStaffSessionStore } from '../adapters/mongo/sessionStores.ts';
import { createFindCostLines, createStaffQueries } from '../adapters/mongo/staffQueries.ts';
import {
  createAuditLog,
  createPasskeyStore,
  createProposalStore,
  createSecondFactorStore,
  createStaffWrites,
} from '../adapters/mongo/staffStores.ts';
import { createPasskeyReader } from '../adapters/system/passkeyReader.ts';
import type { Random } from '../application/ports/system.ts';
import type { SiteDeps } from '../application/site/siteDeps.ts';
import { createCostReports } from '../application/staff/costs.ts';
import { openEnrolment } from '../application/staff/enrolment.ts';
import { keepFor } from '../application/staff/figures.ts';
import { createFindIncidents } from '../application/staff/incidents.ts';
import type { StaffDeps } from '../application/staff/staffDeps.ts';
import type { Config } from '../config.ts';
import { hashApiKey } from '../domain/apiKey.ts';
import type { StaffConsole } from '../http/staff/layout.ts';
import type { App } from './app.ts';

/** Creates the staff console: stores and use cases. */
export function composeStaff(app: App, site: SiteDeps): StaffConsole {
  return {
    deps: staffDepsOf(app, site),
    jobQueries: createJobQueries(app.mongo.collections, app.mongo.clock),
    findLanes: app.findLanes,
    places: app.places,
    log: app.log,
  };
}

/** Dependencies of the console's use cases. */
export function staffDepsOf(app: App, site: SiteDeps): StaffDeps {
  const { config, secrets } = app;
  const { collections, models, lookups, clock } = app.mongo;
  const queries = createStaffQueries(models, collections, lookups, clock);
  const findIncidents = createFindIncidents({
    ...app.work,
    queries,
    figures: app.figures,
    everyModel: () => app.offer.everyModel(),
  });
  return {
    work: app.work,
    site,
    queries,
    writes: createStaffWrites(collections),
    audit: createAuditLog(models),
    proposals: createProposalStore(models),
    mails: createMailStore(models),
    secondPersonCredits: config.secondPersonCredits,
    supportCreditsPerDay: config.supportCreditsPerDay,
    factors: createSecondFactorStore(models),
    passkeys: createPasskeyStore(models),
    passkeyReader: createPasskeyReader(site.consoleUrl),
    staffFactor: config.signIn.staffFactor,
    sessions: createStaffSessionStore(models, collections),
    totp: site.totp,
    figures: app.figures,
    findIncidents: keepFor(findIncidents, clock),
    costs: createCostReports(createFindCostLines(collections), clock),
    creditValue: config.creditValue,
    addresses: app.addresses,
    durations: app.durations,
    keyHashes: (apiKey) => secrets.keyPeppers.map((pepper) => hashApiKey(apiKey, pepper)),
  };
}

/**
 * Creates an enrolment link of the staff console (application/staff/enrolment.ts).
 * @returns Its address. The token follows `#`, which browsers do not send, so that no proxy logs it.
 */
export async function openEnrolmentLink(
  { urls }: Config,
  parts: Pick<MongoConnection, 'database' | 'clock' | 'models'> & { random: Random },
  member: { accountId: string; setsPassword: boolean; token?: string },
): Promise<string> {
  const factors = createSecondFactorStore(parts.models);
  const token = await openEnrolment({ work: parts, factors }, member);
  return `${urls.console}/staff/enrol#${token}`;
}
