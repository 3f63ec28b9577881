import { maxLimit } from '@framegate/contract';
import type { Account } from '../../../domain/accounts/account.ts';
import { staffRoles } from '../../../domain/staff/staffRights.ts';
import { teamRoles } from '../../../domain/teams/teamRoles.ts';
import { codecOf } from './codec.ts';
import { lotSchema } from './credits.ts';
import {
  closedSchema,
  count,
  countIfAny,
  documentSchema,
  figure,
  flag,
  flagIfAny,
  oneOf,
  partSchema,
  type StoredOf,
  text,
  textIfAny,
  textOrNull,
  time,
  timeIfAny,
  timeOrNull,
} from './schema.ts';

const hostSchema = partSchema({
  rule: text,
  state: oneOf(['requested', 'approved', 'refused']),
});

/** Credits that a key spent on the last day (UTC, since the epoch) on which it spent any. */
const spentSchema = closedSchema({ day: count, credits: count });

/** Credits spent in the last month (UTC, counted from the year 0) with spending. */
const monthSpentSchema = closedSchema({ month: count, credits: count });

const keySchema = partSchema({
  id: text,
  name: text,
  hash: text,
  pepperVersion: text,
  prefix: text,
  lastFour: text,
  models: { type: [String], default: null },
  hosts: { type: [hostSchema], required: true },
  createdAt: time,
  revokedAt: timeOrNull,
  replacedBy: textIfAny,
  /** Amount in credits. */
  dailyCredits: countIfAny,
  daySpent: { type: spentSchema, allowNull: false },
  monthlyCredits: countIfAny,
  monthSpent: { type: monthSpentSchema, allowNull: false },
  madeBy: { type: partSchema({ id: text, email: text }), allowNull: false },
});

const memberSchema = partSchema({
  id: text,
  email: text,
  role: oneOf(teamRoles),
  joinedAt: time,
  mailbox: textIfAny,
  monthlyCredits: countIfAny,
  monthSpent: { type: monthSpentSchema, allowNull: false },
});

const formerMemberSchema = partSchema({
  id: text,
  role: oneOf(teamRoles),
  leftAt: time,
  mailbox: textIfAny,
  monthlyCredits: countIfAny,
  monthSpent: { type: monthSpentSchema, allowNull: false },
});

const invitationSchema = partSchema({
  id: text,
  email: text,
  role: oneOf(teamRoles),
  monthlyCredits: countIfAny,
  sentAt: time,
  until: time,
});

const limit = { ...countIfAny, max: maxLimit } as const;

const limitsSchema = partSchema({
  createsPerMinute: limit,
  burst: limit,
  running: limit,
  waiting: limit,
  statusReadsPerMinute: limit,
  otherReadsPerMinute: limit,
});

const bucketSchema = partSchema({ tokens: { ...figure, min: 0 }, at: time });

const planSchema = partSchema({
  id: text,
  name: text,
  credits: count,
  startedAt: time,
  months: count,
  nextAt: timeOrNull,
  endedAt: timeOrNull,
});

const erasureRequestSchema = partSchema({
  by: { type: partSchema({ keyId: text, name: text }), allowNull: false },
  requestedAt: time,
  dueAt: timeOrNull,
  remindAt: timeOrNull,
});

const creditRequestSchema = partSchema({
  by: text,
  askedAt: time,
  /** Amount in credits. */
  missing: countIfAny,
  message: text,
  state: oneOf(['open', 'granted', 'declined']),
});

const recoverySchema = partSchema({ since: time, chosenAt: timeOrNull });

const identitySchema = partSchema({ issuer: text, subject: text, linkedAt: time });

/** Accounts with their keys, credits and counts; amounts in credits. */
export const accountSchema = documentSchema('accounts', {
  _id: text,
  /** Grows with each change. */
  version: count,
  email: text,
  passwordHash: textOrNull,
  isVerified: flag,
  /** The operator's own id of the customer. */
  externalId: textOrNull,
  /** The group whose prices apply. */
  group: textOrNull,
  /** Persons at sign-in providers. */
  identities: { type: [identitySchema], default: undefined, allowNull: false },
  staffRole: { type: String, enum: [...staffRoles], default: null },
  status: oneOf(['active', 'suspended']),
  limits: { type: limitsSchema, required: true },
  keys: { type: [keySchema], required: true },
  lots: { type: [lotSchema], required: true },
  ledgerEntries: count,
  /** Hash of the last entry. */
  ledgerHash: textOrNull,
  inFlightCredits: count,
  running: count,
  waiting: count,
  createBucket: { type: bucketSchema, default: null },
  members: { type: [memberSchema], default: undefined, allowNull: false },
  formerMembers: { type: [formerMemberSchema], default: undefined, allowNull: false },
  invitations: { type: [invitationSchema], default: undefined, allowNull: false },
  teams: { type: [String], default: undefined, allowNull: false },
  teamName: textIfAny,
  teamNeedsFactor: flagIfAny,
  recovery: { type: recoverySchema, allowNull: false },
  isStoppedToErase: flagIfAny,
  erasureRequest: { type: erasureRequestSchema, allowNull: false },
  creditRequest: { type: creditRequestSchema, allowNull: false },
  plan: { type: planSchema, allowNull: false },
  expiryNotifiedUntil: timeIfAny,
  createdAt: time,
  /** When the first lot that still holds credits expires. */
  nextExpiryAt: timeOrNull,
})
  // Accounts with waiting generations, to find those with free slots.
  .index(
    { _id: 1, createdAt: 1 },
    { name: 'waitingIds', partialFilterExpression: { waiting: { $gt: 0 } } },
  )
  .index(
    { nextExpiryAt: 1 },
    { name: 'nextExpiry', partialFilterExpression: { nextExpiryAt: { $gt: new Date(0) } } },
  )
  // Plans whose next monthly credits are due.
  .index(
    { 'plan.nextAt': 1 },
    { name: 'planDue', partialFilterExpression: { 'plan.nextAt': { $gt: new Date(0) } } },
  )
  // Counts the keys under each version of the pepper.
  .index({ 'keys.pepperVersion': 1, 'keys.revokedAt': 1 }, { name: 'keyPepper' });

export const accountCodec = codecOf<Account, 'nextExpiryAt'>()(accountSchema);

/** An account as it is stored. */
export type StoredAccount = StoredOf<typeof accountSchema>;
