import { attemptSchema } from './attempts.ts';
import { confirmationSchema } from './confirmations.ts';
import { erasureSchema } from './erasures.ts';
import { customerFactorSchema, staffFactorSchema } from './factors.ts';
import { ledgerSchema } from './ledger.ts';
import { mailSchema } from './mails.ts';
import { realPersonAuditSchema } from './realPersonAudit.ts';
import { sessionSchema, staffSessionSchema } from './sessions.ts';
import { staffAuditSchema, staffProposalSchema } from './staff.ts';
import { uploadSchema } from './uploads.ts';

/** The schema of each collection, by the name under which the code has it. */
export const schemas = {
  attempts: attemptSchema,
  confirmations: confirmationSchema,
  customerFactors: customerFactorSchema,
  erasures: erasureSchema,
  ledger: ledgerSchema,
  mails: mailSchema,
  realPersonAudit: realPersonAuditSchema,
  sessions: sessionSchema,
  staffAudit: staffAuditSchema,
  staffFactors: staffFactorSchema,
  staffProposals: staffProposalSchema,
  staffSessions: staffSessionSchema,
  uploads: uploadSchema,
};
