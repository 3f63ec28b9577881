import type { MongoConnection } from '../adapters/mongo/connectMongo.ts';
import { createSecondFactorStore } from '../adapters/mongo/signIn/factorStores.ts';
import type { Random } from '../application/ports/system.ts';
import { openEnrolment } from '../application/staff/enrolment.ts';
import type { Config } from '../config.ts';

/**
 * Creates an enrolment link of the staff console (application/staff/enrolment.ts).
 * @returns Its URL. The token follows `#`, which browsers do not send, so that no proxy logs it.
 */
export async function openEnrolmentLink(
  parts: Pick<MongoConnection, 'database' | 'clock' | 'models'> & {
    config: Pick<Config, 'urls'>;
    random: Random;
  },
  member: { accountId: string; setsPassword: boolean; token?: string },
): Promise<string> {
  const staffFactors = createSecondFactorStore(parts.models);
  const token = await openEnrolment({ ...parts, staffFactors }, member);
  return `${parts.config.urls.console}/staff/enrol#${token}`;
}
