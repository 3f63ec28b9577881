import { createHmac, randomBytes } from 'node:crypto';
import { createAuditLog, createSecondFactorStore } from './adapters/mongo/staffStores.ts';
import { argon2Passwords } from './adapters/system/authentication.ts';
import { completeSecrets } from './adapters/system/secretsFile.ts';
import { createAccount } from './application/accounts/accounts.ts';
import { noteOperator } from './application/staff/runAction.ts';
import { openEnrolmentLink } from './compose/staff.ts';
import type { Config } from './config.ts';
import { firstSecret } from './domain/apiKey.ts';
import type { Gateway } from './gateway.ts';

const staffEmail = 'staff@framegate.example';

/** The first member of staff of a gateway that is being tried out. */
export interface StaffInvitation {
  email: string;
  /** The one-time link by which they enrol; null once they have. */
  enrolmentUrl: string | null;
}

/**
 * Makes an admin of the staff console at the first start of a development gateway with an embedded
 * database, and until it is used the same enrolment link at each start, for another hour: a restart does not
 * void what was printed before.
 * @returns null where there is none: production, a worker, or a database of the operator's own.
 */
export async function inviteStaff(
  config: Config,
  gateway: Gateway,
): Promise<StaffInvitation | null> {
  const embedded = config.database.uri === null;
  if (config.mode === 'production' || config.role === 'worker' || !embedded) return null;
  const { database, clock, collections } = gateway.database;
  const { random } = gateway;
  const found = await database.accounts.findByEmail(staffEmail);
  const account =
    found ??
    (await createAccount(
      { database, clock, random, passwords: argon2Passwords },
      {
        email: staffEmail,
        // Never shown: the link sets another one.
        password: randomBytes(24).toString('base64url'),
        verified: true,
        staffRole: 'admin',
      },
    ));
  if (!found) {
    const audit = createAuditLog(collections);
    await noteOperator({ clock, random, audit }, 'make staff account', account.id, 'admin');
  }
  const factor = await createSecondFactorStore(collections).find(account.id);
  if (factor?.secret) return { email: staffEmail, enrolmentUrl: null };
  const parts = { database, clock, collections, random };
  const member = { accountId: account.id, setsPassword: true, token: tokenOf(config, account.id) };
  return {
    email: staffEmail,
    enrolmentUrl: await openEnrolmentLink(config, parts, member),
  };
}

/** The link's token, made from the installation's own secret: the same at each start. */
function tokenOf({ secrets, dataDir }: Config, accountId: string): string {
  const { secret } = firstSecret(completeSecrets(secrets, dataDir).sessionKeys);
  return createHmac('sha256', secret).update(`invitation ${accountId}`).digest('base64url');
}
