import type { ledgerEntryKinds } from './limits.ts';

/** The types of events about credits, by the kind of their ledger entry. */
export const creditEvents = {
  grant: 'credits.granted',
  charge: 'credits.charged',
  refund: 'credits.refunded',
  expiry: 'credits.expired',
  adjustment: 'credits.adjusted',
} as const satisfies Record<(typeof ledgerEntryKinds)[number], string>;

/** All types of events, in the order of the documentation. */
export const eventTypes = [
  ...Object.values(creditEvents),
  'credits.low',
  'credits.expiring',
  'generation.completed',
  'generation.failed',
  'generation.not_as_ordered',
  'key.created',
  'key.revoked',
  'plan.started',
  'plan.changed',
  'plan.ended',
  'provider.circuit_open',
  'provider.circuit_closed',
] as const;
