import type { OperatorRequest } from '../../../application/ports/operator.ts';
import type { EventFact, StoredEvent } from '../../../domain/accounts/accountEvent.ts';
import type { OperatorKey } from '../../../domain/accounts/operatorKey.ts';
import { codecOf } from './codec.ts';
import {
  count,
  countIfAny,
  documentSchema,
  mixedField,
  partSchema,
  text,
  textOrNull,
  time,
  timeOrNull,
} from './schema.ts';

/** Keys of the operator API, without their secrets. */
export const operatorKeySchema = documentSchema('operatorKeys', {
  _id: text,
  name: text,
  hash: text,
  pepperVersion: text,
  prefix: text,
  lastFour: text,
  // Not listed here: a later version may add some.
  scopes: { type: [String], required: true } as unknown as {
    readonly type: ArrayConstructor;
    readonly required: true;
    readonly __rawDocTypeHint: OperatorKey['scopes'];
  },
  /** CIDR. */
  addresses: { type: [String], required: true },
  createdAt: time,
  expiresAt: timeOrNull,
  revokedAt: timeOrNull,
})
  .index({ hash: 1 }, { name: 'hash', unique: true })
  // Counts the keys under each version of the pepper.
  .index({ pepperVersion: 1, revokedAt: 1 }, { name: 'pepper' });

export const operatorKeyCodec = codecOf<OperatorKey>()(operatorKeySchema);

/** Responses to writes of the operator API, by request id. */
export const operatorRequestSchema = documentSchema('operatorRequests', {
  _id: text,
  /** Method, path and Idempotency-Key. */
  scope: text,
  fingerprint: text,
  keyId: text,
  accountId: text,
  status: count,
  /** JSON. */
  body: text,
  at: time,
  expiresAt: time,
})
  .index({ scope: 1 }, { name: 'operatorScope', unique: true })
  // Responses changed by an erasure.
  .index({ accountId: 1, _id: 1 }, { name: 'account' })
  .index({ expiresAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const operatorRequestCodec = codecOf<OperatorRequest>()(operatorRequestSchema);

const epochSchema = partSchema({ id: text, from: count });

/** The last assigned position of each feed and its epochs (domain/feed/feedEpochs.ts), by the feed's name. */
export const feedSchema = documentSchema('feeds', {
  _id: text,
  last: count,
  epochs: { type: [epochSchema], required: true },
});

/** Events other than ledger entries and ends of generations. */
export const operatorEventSchema = documentSchema('operatorEvents', {
  _id: text,
  subject: text,
  accountId: textOrNull,
  number: count,
  sequence: count,
  at: time,
  fact: mixedField<EventFact>(),
  goneAt: time,
  /** Its position in the feed, assigned when the feed is first read that far (feed.ts). */
  position: countIfAny,
})
  // The feed's order; events without a position come first.
  .index({ position: 1, subject: 1, number: 1, sequence: 1 }, { name: 'feed' })
  .index({ goneAt: 1 }, { name: 'gone', expireAfterSeconds: 0 })
  // The history of circuits; partial, so that events of accounts need no key.
  .index(
    { subject: 1, at: 1 },
    {
      name: 'circuits',
      partialFilterExpression: { subject: { $gte: 'breaker ', $lt: 'breaker!' } },
    },
  );

export const operatorEventCodec = codecOf<StoredEvent, 'goneAt' | 'position'>()(
  operatorEventSchema,
);
