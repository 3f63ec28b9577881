import { createHmac, randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecondFactorStore } from './adapters/mongo/signIn/factorStores.ts';
import { createAuditLog } from './adapters/mongo/staff/staffStores.ts';
import { sampleHost } from './adapters/net/sampleHost.ts';
import { readIfPresent } from './adapters/system/files.ts';
import { argon2Passwords } from './adapters/system/passwords.ts';
import { recordUrls } from './adapters/system/runningTrial.ts';
import { completeSecrets } from './adapters/system/secretsFile.ts';
import { changeAccountById } from './application/accounts/changeAccount.ts';
import { createAccount } from './application/accounts/createAccount.ts';
import { grantCredits } from './application/credits/grantCredits.ts';
import { createKey } from './application/keys/keys.ts';
import { recordOperator } from './application/staff/runAction.ts';
import { openEnrolmentLink } from './compose/staff.ts';
import type { Config } from './config.ts';
import { firstSecret } from './domain/accounts/apiKey.ts';
import type { Gateway } from './gateway.ts';
import { describeRefusal } from './texts/describeRefusal.ts';

/** The accounts of a trial gateway. */
export interface Trial {
  demo: DemoAccount;
  staff: StaffInvitation;
}

/** Makes the missing accounts of a development gateway with an embedded database, and records its addresses. */
export async function openTrial(config: Config, gateway: Gateway): Promise<Trial> {
  recordUrls(config.dataDir, config.urls);
  return {
    demo: await openDemo(config, gateway),
    staff: await inviteStaff(config, gateway),
  };
}

/** Credits of the demo account: about seventy short videos. */
const demoCredits = 5_000;
const demoEmail = 'demo@framegate.example';

/** The demo account, and its key at its first start. */
interface DemoAccount {
  apiKey: string;
  credits: number;
  isNew: boolean;
  /** The key's file, for the owner of the data folder. */
  keyFile: string;
  /** The address, and the file of the password, with which its owner signs in to the site. */
  signIn: { email: string; passwordFile: string };
}

/**
 * Makes the demo account at the first start of a development gateway with an embedded database: credits,
 * and a key that may read the bundled sample pictures. The key is kept in DATA_DIR with mode 0600.
 */
async function openDemo(config: Config, gateway: Gateway): Promise<DemoAccount> {
  const keyFile = join(config.dataDir, 'demo-key');
  const signIn = { email: demoEmail, passwordFile: join(config.dataDir, 'demo-password') };
  const common = { credits: demoCredits, keyFile, signIn };
  const storedKey = readIfPresent(keyFile)?.trim() ?? null;
  const { database, clock } = gateway.database;
  const deps = { database, clock, random: gateway.random, passwords: argon2Passwords };
  // An interrupted run leaves the account: it is reused, and its key is made again.
  const existing = await database.accounts.findByEmail(demoEmail);
  const account =
    existing ??
    (await createAccount(deps, {
      email: demoEmail,
      password: randomBytes(24).toString('base64url'),
      isVerified: true,
      staffRole: null,
    }));
  if (!existing || readIfPresent(signIn.passwordFile) === null) {
    await keepNewPassword(deps, account.id, signIn.passwordFile);
  }
  if (existing && storedKey !== null) return { ...common, apiKey: storedKey, isNew: false };
  if (account.ledgerEntries === 0) {
    await grantCredits(deps, {
      accountId: account.id,
      amountCredits: demoCredits,
      kind: 'promotional',
      expiresAt: null,
      reason: 'demo account',
      reference: `demo ${account.id}`,
    });
  }
  const { apiKey } = await createKey(
    { ...deps, pepper: gateway.pepper },
    { accountId: account.id, name: 'demo', hosts: [sampleHost], models: [] },
  );
  keep(keyFile, apiKey);
  return { ...common, apiKey, isNew: true };
}

/** Gives the account a new password, stored only in the file, because an earlier one was never shown. */
async function keepNewPassword(
  deps: { database: Gateway['database']['database'] },
  accountId: string,
  file: string,
): Promise<void> {
  const password = randomBytes(18).toString('base64url');
  const passwordHash = await argon2Passwords.hash(password);
  await changeAccountById(deps.database, accountId, (account) => ({
    after: { ...account, passwordHash },
  }));
  keep(file, password);
}

/** Writes a secret for the owner of the data folder, atomically. */
function keep(file: string, secret: string): void {
  writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const staffEmail = 'staff@framegate.example';

/** The first staff member. */
interface StaffInvitation {
  email: string;
  /** The one-time enrolment link; null after the enrolment. */
  enrolmentUrl: string | null;
}

/**
 * Makes an admin of the staff console at the first start of a development gateway with an embedded
 * database. Until the enrolment link is used, each start prints the same link, valid for another hour, so that a
 * restart does not void a printed link.
 */
async function inviteStaff(config: Config, gateway: Gateway): Promise<StaffInvitation> {
  const { database, clock, models } = gateway.database;
  const { random } = gateway;
  const existing = await database.accounts.findByEmail(staffEmail);
  const account =
    existing ??
    (await createAccount(
      { database, clock, random, passwords: argon2Passwords },
      {
        email: staffEmail,
        // Never shown; the link sets a new one.
        password: randomBytes(24).toString('base64url'),
        isVerified: true,
        staffRole: 'admin',
      },
    ));
  const audit = createAuditLog(models, describeRefusal);
  if (!existing) {
    await recordOperator({ clock, random, audit }, 'make staff account', account.id, 'admin');
  }
  const factor = await createSecondFactorStore(models).find(account.id);
  if (factor?.secret) return { email: staffEmail, enrolmentUrl: null };
  const parts = { config, database, clock, models, random };
  const member = { accountId: account.id, setsPassword: true, token: tokenOf(config, account.id) };
  await recordOperator({ clock, random, audit }, 'make enrolment link', account.id, '');
  return {
    email: staffEmail,
    enrolmentUrl: await openEnrolmentLink(parts, member),
  };
}

/** The link's token, made from the installation's own secret: the same at each startup. */
function tokenOf({ secrets, dataDir }: Config, accountId: string): string {
  const { secret } = firstSecret(completeSecrets(secrets, dataDir).sessionKeys);
  return createHmac('sha256', secret).update(`invitation ${accountId}`).digest('base64url');
}
