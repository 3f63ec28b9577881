import { connectMongo } from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { defaultLimits } from '../../gateway/src/domain/accounts/limits.ts';
import { takeTestDatabase } from '../support/database.ts';
import { quickPasswords } from '../support/quickPasswords.ts';

/** The log does not matter here. */
const nothing = () => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Dependencies of admin use cases, on a database of its own. */
export async function connectAdmin() {
  const testDatabase = takeTestDatabase();
  let people = 0;
  const mongo = await connectMongo({
    uri: testDatabase.uri,
    log,
    self: { id: 'admin', role: 'command' },
  });
  await mongo.migrate();
  const deps = {
    db: mongo.db,
    collections: mongo.collections,
    models: mongo.models,
    database: mongo.database,
    clock: mongo.clock,
    random: createRandom(mongo.clock),
    passwords: quickPasswords,
    ledgerAudit: createLedgerAudit(mongo.client, mongo.collections),
    defaultLimits,
    pepper: { version: 'p1', secret: 'p'.repeat(32) },
  };
  return {
    ...deps,
    uri: testDatabase.uri,
    /** Makes an account of a customer. @returns Its id. */
    async newAccount(): Promise<string> {
      const person = {
        email: `person${(people += 1)}@people.example`,
        password: 'a long password',
      };
      return (await createAccount(deps, { ...person, isVerified: true, staffRole: null })).id;
    },
    async close() {
      await mongo.close();
      await testDatabase.drop();
    },
  };
}

/** The dependencies of a test. */
export type AdminTest = Awaited<ReturnType<typeof connectAdmin>>;
