import { accountSchema } from './accounts.ts';
import { generationSchema } from './generations.ts';
import { formerKeySchema, keyUseSchema, secretVersionSchema } from './keys.ts';
import { ledgerSchema } from './ledger.ts';
import { migrationSchema } from './migrations.ts';
import { laneSchema, processSchema } from './processes.ts';
import { breakerSchema, placesSchema, spendingSchema } from './providers.ts';
import { sessionSchema } from './sessions.ts';

/** The schema of each collection, by the name under which the code has it. */
export const schemas = {
  accounts: accountSchema,
  generations: generationSchema,
  ledger: ledgerSchema,
  processes: processSchema,
  lanes: laneSchema,
  sessions: sessionSchema,
  breakers: breakerSchema,
  places: placesSchema,
  spending: spendingSchema,
  keyUses: keyUseSchema,
  formerKeys: formerKeySchema,
  secretVersions: secretVersionSchema,
  migrations: migrationSchema,
};
