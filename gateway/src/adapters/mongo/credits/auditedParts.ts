import type {
  AuditedAccount,
  AuditedEntry,
  AuditedGeneration,
} from '../../../application/ports/ledgerAudit.ts';
import { accountCodec, type StoredAccount } from '../models/accounts.ts';
import type { StoredGeneration } from '../models/generations.ts';
import { ledgerCodec, type StoredLedgerEntry } from '../models/ledger.ts';
import type { ProjectedDocument } from '../models/statements.ts';

/** The fields of accounts that an audit reads. */
export const accountFields = {
  version: 1,
  lots: 1,
  ledgerEntries: 1,
  ledgerHash: 1,
  inFlightCredits: 1,
  running: 1,
  waiting: 1,
  plan: 1,
  nextExpiryAt: 1,
  email: 1,
  externalId: 1,
  identities: 1,
  invitations: 1,
  erasureRequest: 1,
  creditRequest: 1,
  staffRole: 1,
  'keys.id': 1,
  'keys.hash': 1,
  'keys.lastFour': 1,
  'keys.prefix': 1,
  'keys.hosts': 1,
  'keys.replacedBy': 1,
  'keys.monthSpent': 1,
} as const;
/** The fields of generations that an audit reads: no prompts, no replays. */
export const generationFields = {
  accountId: 1,
  status: 1,
  step: 1,
  costCredits: 1,
  refundedCredits: 1,
  charge: 1,
  createdAt: 1,
  startedAt: 1,
  endedAt: 1,
  deadlineAt: 1,
  dueAt: 1,
  leaseUntil: 1,
  open: 1,
  monthCounted: 1,
  replaces: 1,
  'attempts.number': 1,
  'attempts.outcome': 1,
} as const;

/** The fields of ledger entries that an audit reads. */
export const entryFields = { position: 0 } as const;

type StoredPart = ProjectedDocument<StoredGeneration, typeof generationFields>;
type StoredAccountPart = ProjectedDocument<StoredAccount, typeof accountFields>;

/** The audited part of an account. */
export function auditedAccount(stored: StoredAccountPart): AuditedAccount {
  const { plan, ...rest } = accountCodec.fromPart(stored);
  return { ...rest, ...(plan && { plan }) };
}

/** The audited part of a ledger entry. */
export const auditedEntry: (stored: Omit<StoredLedgerEntry, 'position'>) => AuditedEntry =
  ledgerCodec.fromStored;

/** The audited part of a generation. */
export const auditedGeneration = (stored: StoredPart): AuditedGeneration => ({
  id: stored._id,
  accountId: stored.accountId,
  status: stored.status,
  step: stored.step,
  costCredits: stored.costCredits,
  refundedCredits: stored.refundedCredits,
  charge: stored.charge.map((each) => ({
    ...each,
    expiresAt: each.expiresAt?.getTime() ?? null,
  })),
  createdAt: stored.createdAt.getTime(),
  startedAt: stored.startedAt?.getTime() ?? null,
  endedAt: stored.endedAt?.getTime() ?? null,
  deadlineAt: stored.deadlineAt.getTime(),
  dueAt: stored.dueAt.getTime(),
  leaseUntil: stored.leaseUntil.getTime(),
  isOpen: stored.open,
  ...(stored.monthCounted && { monthCounted: stored.monthCounted }),
  attempts: stored.attempts,
  ...(typeof stored.replaces === 'string' && { replaces: stored.replaces }),
});
