import type { MongoConnection } from '../adapters/mongo/connectMongo.ts';
import { createAuditLog, createSecondFactorStore } from '../adapters/mongo/staffStores.ts';
import type { Random } from '../application/ports/system.ts';
import { openEnrolment } from '../application/staff/enrolment.ts';
import { noteOperator } from '../application/staff/runAction.ts';
import type { Config } from '../config.ts';

/** Opens an enrolment link of the staff console (application/staff/enrolment.ts). @returns its address. */
export async function openEnrolmentLink(
  { urls }: Config,
  parts: Pick<MongoConnection, 'database' | 'clock' | 'collections'> & { random: Random },
  member: { accountId: string; setsPassword: boolean; token?: string },
): Promise<string> {
  const factors = createSecondFactorStore(parts.collections);
  const audit = createAuditLog(parts.collections);
  const token = await openEnrolment({ work: parts, factors }, member);
  const words = member.setsPassword ? 'It also sets the password.' : '';
  await noteOperator({ ...parts, audit }, 'make enrolment link', member.accountId, words);
  return `${urls.account}/staff/enrol/${token}`;
}
