import { randomUUID } from 'node:crypto';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { completeSecrets } from '../../gateway/src/adapters/system/secretsFile.ts';
import { setAccountLimits } from '../../gateway/src/application/accounts/accounts.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import { openDatabase } from '../../gateway/src/compose/openDatabase.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { collectLog } from '../../test/support/mongod.ts';

/** An account of the bench, with limits that are never reached. */
export interface BenchAccount {
  accountId: string;
  apiKey: string;
}

const plenty = 1_000_000;

/** Makes accounts with keys and credits. */
export async function prepareAccounts(
  env: Record<string, string>,
  count: number,
): Promise<BenchAccount[]> {
  const config = loadConfig(env);
  const mongo = await openDatabase(config, collectLog());
  await mongo.migrate();
  const { database, clock } = mongo;
  const passwords = { ...argon2Passwords, hash: () => Promise.resolve(null as never) };
  const deps = { database, clock, random: createRandom(clock), passwords };
  const [pepper] = completeSecrets(config.secrets, config.dataDir).keyPeppers;
  if (!pepper) throw new Error('no pepper');
  const accounts: BenchAccount[] = [];
  for (let number = 0; number < count; number += 1) {
    const { id } = await createAccount(deps, {
      email: `bench-${randomUUID()}@example.com`,
      password: randomUUID(),
      isVerified: true,
      staffRole: null,
    });
    await grantCredits(deps, {
      accountId: id,
      amountCredits: 1_000_000_000,
      kind: 'purchased',
      expiresAt: null,
      reason: null,
    });
    const limits = {
      createsPerMinute: plenty,
      burst: plenty,
      running: plenty,
      waiting: plenty,
      statusReadsPerMinute: plenty,
      otherReadsPerMinute: plenty,
    };
    await setAccountLimits({ ...deps, defaultLimits: config.limits }, { accountId: id, limits });
    const { apiKey } = await createKey(
      { ...deps, pepper },
      { accountId: id, name: 'bench', hosts: [], models: [] },
    );
    accounts.push({ accountId: id, apiKey });
  }
  await mongo.close();
  return accounts;
}

/** The books after the bench: a fast but wrong result does not count. */
export async function countProblems(env: Record<string, string>): Promise<number> {
  const config = loadConfig(env);
  const mongo = await openDatabase(config, collectLog());
  const ledgerAudit = createLedgerAudit(mongo.client, mongo.collections);
  const { problems } = await verifyLedger({ ledgerAudit });
  await mongo.close();
  return problems.length;
}
