import { ledgerSchema } from './ledger.ts';
import { sessionSchema } from './sessions.ts';

/** The schema of each collection, by the name under which the code has it. */
export const schemas = {
  ledger: ledgerSchema,
  sessions: sessionSchema,
};
