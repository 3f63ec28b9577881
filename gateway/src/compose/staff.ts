import { openJobsConsole } from '../adapters/agendash/jobsConsole.ts';
import { createJobQueries } from '../adapters/mongo/jobQueries.ts';
import { createStaffQueries } from '../adapters/mongo/staffQueries.ts';
import {
  createAuditLog,
  createProposalStore,
  createSecondFactorStore,
  createStaffSessionStore,
} from '../adapters/mongo/staffStores.ts';
import { createStaffWrites } from '../adapters/mongo/staffWrites.ts';
import { totp } from '../adapters/system/totp.ts';
import type { SiteDeps } from '../application/site/siteDeps.ts';
import type { EnrolDeps } from '../application/staff/enrolment.ts';
import type { StaffDeps } from '../application/staff/staffDeps.ts';
import { hashApiKey } from '../domain/apiKey.ts';
import { jobsPageHead } from '../http/staff/jobPages.ts';
import type { StaffConsole } from '../http/staff/staffContext.ts';
import type { Shared } from './shared.ts';
import { workDepsOf } from './workDeps.ts';

/** The staff console: its stores and use cases, and Agendash's page. */
export async function composeStaff(shared: Shared, site: SiteDeps): Promise<StaffConsole> {
  const { collections, clock } = shared.mongo;
  const jobs = createJobQueries(collections, clock);
  const routes = shared.models.flatMap(({ id }) => shared.routes.of(id));
  return {
    deps: staffDepsOf(shared, site),
    jobs: await openJobsConsole(jobs, { head: jobsPageHead }),
    readLanes: shared.readLanes,
    providers: [...new Set(routes.map(({ provider }) => provider))],
    log: shared.log,
  };
}

/** What the console's use cases work with. */
export function staffDepsOf(shared: Shared, site: SiteDeps): StaffDeps & EnrolDeps {
  const { config, mongo, secrets, durations } = shared;
  const { collections } = mongo;
  return {
    ...site,
    site,
    work: workDepsOf(shared),
    queries: createStaffQueries(collections),
    writes: createStaffWrites(collections),
    audit: createAuditLog(collections),
    proposals: createProposalStore(collections),
    secondPersonCredits: config.secondPersonCredits,
    supportCreditsPerDay: config.supportCreditsPerDay,
    factors: createSecondFactorStore(collections),
    sessions: createStaffSessionStore(collections),
    figures: shared.figures,
    totp,
    addresses: {
      baseUrl: config.urls.base,
      mediaUrl: config.urls.media,
      mediaSigningKeys: secrets.mediaSigningKeys,
    },
    durations,
    defaultLimits: config.limits,
    keyHashes: (apiKey) => secrets.keyPeppers.map((pepper) => hashApiKey(apiKey, pepper)),
  };
}
