/** Names of an account's limits in files, commands and the operator API, with their lowest values. */
export const limitNames = {
  creates_per_minute: 1,
  burst: 1,
  running: 1,
  waiting: 0,
  status_reads_per_minute: 1,
  other_reads_per_minute: 1,
} as const;

/** The name of an account's limit. */
export type LimitName = keyof typeof limitNames;

/** The highest value of a limit. */
export const maxLimit = 1_000_000_000;

/** States of an erasure. */
export const erasureStates = ['scheduled', 'withdrawn', 'erasing', 'erased'] as const;

/** The kinds of credit lots, in the order of use among lots with equal expiry. */
export const lotKinds = ['promotional', 'subscription', 'purchased'] as const;
/** The kind of a credit lot. */
export type LotKind = (typeof lotKinds)[number];

/** The kinds of entries of the ledger. Only grants, expiries and adjustments create or destroy credits. */
export const ledgerEntryKinds = ['grant', 'charge', 'refund', 'expiry', 'adjustment'] as const;
/** The kind of a ledger entry. */
export type LedgerEntryKind = (typeof ledgerEntryKinds)[number];

/** Maximum credits of one grant or adjustment. */
export const maxGrantCredits = 1_000_000_000_000;
