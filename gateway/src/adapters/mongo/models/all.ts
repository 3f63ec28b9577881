import { accountLookupSchema } from './accountLookups.ts';
import { accountSchema } from './accounts.ts';
import { attemptCountSchema } from './attempts.ts';
import { catalogueSchema } from './catalogues.ts';
import { confirmationSchema } from './confirmations.ts';
import { erasureSchema } from './erasures.ts';
import { customerFactorSchema, passkeySchema, staffFactorSchema } from './factors.ts';
import { generationSchema } from './generations.ts';
import { invitationSchema } from './invitations.ts';
import { formerKeySchema, keyUseSchema, secretVersionSchema } from './keys.ts';
import { ledgerSchema, referenceSchema } from './ledger.ts';
import { mailSchema } from './mails.ts';
import { migrationSchema } from './migrations.ts';
import { noticeSchema } from './notices.ts';
import {
  feedSchema,
  operatorEventSchema,
  operatorKeySchema,
  operatorRequestSchema,
} from './operator.ts';
import { leaseSchema, processSchema, upkeepRoundSchema } from './processes.ts';
import { breakerSchema, deliverySchema, slotsSchema, spendingSchema } from './providers.ts';
import { providerTaskSchema } from './providerTasks.ts';
import { realPersonAuditSchema } from './realPersonAudit.ts';
import { searchSchema } from './searches.ts';
import { sessionSchema, staffSessionSchema } from './sessions.ts';
import { signInLinkSchema, signOnRequestSchema } from './signInLinks.ts';
import { staffAuditSchema, staffProposalSchema } from './staff.ts';
import { teamLogSchema } from './teamLog.ts';
import { uploadSchema } from './uploads.ts';
import { collectionSchema, shareSchema } from './wall.ts';

/** The schema of each collection, by the collection's name in the code. */
export const schemas = {
  accountLookups: accountLookupSchema,
  accounts: accountSchema,
  attempts: attemptCountSchema,
  breakers: breakerSchema,
  catalogues: catalogueSchema,
  generationCollections: collectionSchema,
  confirmations: confirmationSchema,
  customerFactors: customerFactorSchema,
  deliveries: deliverySchema,
  erasures: erasureSchema,
  feeds: feedSchema,
  formerKeys: formerKeySchema,
  invitations: invitationSchema,
  generations: generationSchema,
  keyUses: keyUseSchema,
  upkeepRounds: upkeepRoundSchema,
  leases: leaseSchema,
  ledger: ledgerSchema,
  mails: mailSchema,
  migrations: migrationSchema,
  notices: noticeSchema,
  operatorEvents: operatorEventSchema,
  operatorKeys: operatorKeySchema,
  operatorRequests: operatorRequestSchema,
  passkeys: passkeySchema,
  slots: slotsSchema,
  processes: processSchema,
  providerTasks: providerTaskSchema,
  realPersonAudit: realPersonAuditSchema,
  references: referenceSchema,
  searches: searchSchema,
  secretVersions: secretVersionSchema,
  sessions: sessionSchema,
  shares: shareSchema,
  signInLinks: signInLinkSchema,
  signOnRequests: signOnRequestSchema,
  spending: spendingSchema,
  staffAudit: staffAuditSchema,
  staffFactors: staffFactorSchema,
  staffProposals: staffProposalSchema,
  staffSessions: staffSessionSchema,
  teamLog: teamLogSchema,
  uploads: uploadSchema,
};
