import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleHost } from './adapters/media/sampleHost.ts';
import { argon2Passwords } from './adapters/system/passwords.ts';
import { createAccount } from './application/admin/createAccount.ts';
import { createKey } from './application/admin/createKey.ts';
import { grantCredits } from './application/admin/grantCredits.ts';
import type { Config } from './config.ts';
import type { Gateway } from './gateway.ts';

/** Credits of the demo account: about seventy short videos. */
const demoCredits = 5_000;
const demoEmail = 'demo@framegate.example';

/** The demo account, and its key as long as this is its first start. */
export interface Demo {
  apiKey: string;
  credits: number;
  isNew: boolean;
  /** Where the key is kept for the owner of the data folder. */
  keyFile: string;
}

/**
 * Makes the demo account at the first start of a development gateway with an embedded database: credits,
 * and a key that may read the bundled sample pictures. The key is kept in DATA_DIR with mode 0600.
 * @returns null where there is none: production, a worker, or somebody else's database.
 */
export async function openDemo(config: Config, gateway: Gateway): Promise<Demo | null> {
  const embedded = config.database.uri === null;
  if (config.mode === 'production' || config.role === 'worker' || !embedded) return null;
  const keyFile = join(config.dataDir, 'demo-key');
  const known = { credits: demoCredits, keyFile };
  try {
    return { ...known, apiKey: readFileSync(keyFile, 'utf8').trim(), isNew: false };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const { database, clock } = gateway.database;
  const deps = { database, clock, random: gateway.random, passwords: argon2Passwords };
  // A run that was stopped in the middle leaves the account: it is taken up, its key is made again.
  const account =
    (await database.accounts.findByEmail(demoEmail)) ??
    (await createAccount(deps, {
      email: demoEmail,
      password: randomBytes(24).toString('base64url'),
      verified: true,
      staffRole: null,
    }));
  if (account.ledgerEntries === 0) {
    await grantCredits(deps, {
      accountId: account.id,
      amountCredits: demoCredits,
      kind: 'promotional',
      expiresAt: null,
      reason: 'demo account',
    });
  }
  const { apiKey } = await createKey(
    { ...deps, pepper: gateway.pepper },
    { accountId: account.id, name: 'demo', hosts: [sampleHost], models: [] },
  );
  writeFileSync(`${keyFile}.new`, `${apiKey}\n`, { mode: 0o600 });
  renameSync(`${keyFile}.new`, keyFile);
  return { ...known, apiKey, isNew: true };
}
