import type { Collections } from '../collections.ts';
import { changeIndexes, type Index } from './changeIndexes.ts';
import type { Migration } from './migration.ts';

/** The indexes of each collection, and what asks for them. */
const indexes: Partial<Record<keyof Collections, Index[]>> = {
  accounts: [
    { name: 'email', key: { email: 1 }, unique: true },
    {
      name: 'keyHash',
      key: { 'keys.hash': 1 },
      unique: true,
      partialFilterExpression: { 'keys.hash': { $exists: true } },
    },
    { name: 'keyId', key: { 'keys.id': 1 } },
    { name: 'lotExpiry', key: { 'lots.expiresAt': 1 } },
    {
      name: 'staff',
      key: { staffRole: 1 },
      partialFilterExpression: { staffRole: { $type: 'string' } },
    },
    // Accounts with waiting generations: asked for those that have room.
    {
      name: 'waitingIds',
      key: { _id: 1, createdAt: 1 },
      partialFilterExpression: { waiting: { $gt: 0 } },
    },
    // What staff look for: the end of a key, and hosts that wait for them.
    { name: 'keyLastFour', key: { 'keys.lastFour': 1 } },
    {
      name: 'requestedHosts',
      key: { 'keys.hosts.state': 1 },
      partialFilterExpression: { 'keys.hosts.state': 'requested' },
    },
  ],
  generations: [
    {
      // I3: one generation under one idempotency scope.
      name: 'idempotencyScope',
      key: { 'replay.scope': 1 },
      unique: true,
      partialFilterExpression: { 'replay.scope': { $exists: true } },
    },
    { name: 'due', key: { step: 1, dueAt: 1 }, partialFilterExpression: { open: true } },
    // Pages through all unfinished ones: whether each has its job.
    { name: 'openIds', key: { _id: 1, open: 1 }, partialFilterExpression: { open: true } },
    {
      name: 'waits',
      key: { step: 1, accountId: 1, createdAt: 1 },
      partialFilterExpression: { waits: true },
    },
    {
      // Places that are taken at a provider, its polls that are due, and counts of what is unfinished: all
      // told from the index alone.
      name: 'unfinished',
      key: {
        open: 1,
        place: 1,
        step: 1,
        dueAt: 1,
        status: 1,
        model: 1,
        createdAt: 1,
        _id: 1,
      },
      partialFilterExpression: { open: true },
    },
    {
      name: 'parkedFor',
      key: { 'waitsFor.providers': 1, accountId: 1, createdAt: 1 },
      partialFilterExpression: { step: 'parked' },
    },
    {
      name: 'parkedJudged',
      key: { 'waitsFor.at': 1 },
      partialFilterExpression: { step: 'parked' },
    },
    {
      // The newest ends, and sums of them. Not `$type`: a question about a range of time would not be known
      // to be a part of that.
      name: 'ends',
      key: { status: 1, endedAt: -1, costCredits: 1 },
      partialFilterExpression: { endedAt: { $gt: new Date(0) } },
    },
    {
      // Durations of the last completed ones of a model, from the index alone.
      name: 'durations',
      key: {
        model: 1,
        status: 1,
        endedAt: -1,
        startedAt: 1,
        'parameters.resolution': 1,
        'parameters.duration_seconds': 1,
        'parameters.n': 1,
      },
      partialFilterExpression: { endedAt: { $gt: new Date(0) } },
    },
    // The newest of an account first: its history.
    { name: 'history', key: { accountId: 1, _id: -1 } },
    {
      name: 'tidyAt',
      key: { tidyAt: 1 },
      partialFilterExpression: { tidyAt: { $gt: new Date(0) } },
    },
    // What staff look for.
    { name: 'requestId', key: { requestId: 1 } },
    {
      name: 'consent',
      key: { 'realPerson.consentReference': 1 },
      partialFilterExpression: { 'realPerson.consentReference': { $exists: true } },
    },
    {
      name: 'upstreamId',
      key: { upstreamIds: 1 },
      partialFilterExpression: { upstreamIds: { $exists: true } },
    },
    {
      // Those that are resolved lie apart from those that are not.
      name: 'unresolved',
      key: { 'resolution.resolvedAt': 1, endedAt: -1 },
      partialFilterExpression: { 'attempts.outcome': 'unknown' },
    },
  ],
  ledger: [
    {
      // I2: one charge and at most one refund for a generation.
      name: 'generationKind',
      key: { generationId: 1, kind: 1 },
      unique: true,
      partialFilterExpression: { generationId: { $type: 'string' } },
    },
    {
      // I1: a grant or an adjustment is made once under its reference.
      name: 'reference',
      key: { reference: 1 },
      unique: true,
      partialFilterExpression: { reference: { $exists: true } },
    },
  ],
  jobs: [
    {
      // Agenda's own, by its name and key; it would make it at every start and not wait for a primary.
      name: 'findAndLockNextJobIndex',
      key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 },
    },
    // Agenda's own index makes each look for lapsed locks scan every job of a name; this one does not.
    { name: 'lapsedLocks', key: { name: 1, lockedAt: 1 } },
  ],
  processes: [{ name: 'gone', key: { seenAt: 1 }, expireAfterSeconds: 60 }],
  sessions: [
    { name: 'account', key: { accountId: 1, seenAt: -1 } },
    { name: 'gone', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  confirmations: [{ name: 'gone', key: { expiresAt: 1 }, expireAfterSeconds: 86_400 }],
  attempts: [{ name: 'gone', key: { endsAt: 1 }, expireAfterSeconds: 0 }],
  spending: [
    { name: 'day', key: { day: 1 } },
    { name: 'gone', key: { goneAt: 1 }, expireAfterSeconds: 0 },
  ],
  realPersonAudit: [
    { name: 'at', key: { at: 1, _id: 1 } },
    { name: 'gone', key: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ],
  formerKeys: [
    { name: 'account', key: { accountId: 1 } },
    { name: 'hash', key: { hash: 1 } },
  ],
  erasures: [
    { name: 'due', key: { dueAt: 1 }, partialFilterExpression: { dueAt: { $gt: new Date(0) } } },
  ],
  staffAudit: [
    { name: 'terms', key: { terms: 1, _id: -1 } },
    {
      // A form is acted upon once.
      name: 'formId',
      key: { formId: 1 },
      unique: true,
      partialFilterExpression: { formId: { $exists: true } },
    },
  ],
  staffFactors: [
    {
      name: 'link',
      key: { linkHash: 1 },
      unique: true,
      partialFilterExpression: { linkHash: { $type: 'string' } },
    },
  ],
  staffProposals: [{ name: 'gone', key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  staffSessions: [
    { name: 'account', key: { accountId: 1 } },
    { name: 'gone', key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
};

/** Indexes of releases without numbered migrations that no question asks for any more. */
const formerIndexes: Partial<Record<keyof Collections, string[]>> = {
  generations: ['unknownOutcome', 'place', 'endedAt', 'refunded'],
};

/** What releases without numbered migrations did at each start. */
export const firstIndexes: Migration = {
  version: 1,
  name: 'first indexes',
  worksWith: 0,
  async run(context) {
    await changeIndexes(context, { build: indexes, drop: formerIndexes });
    await notePlaces(context.collections);
  },
};

/** Writes the place of those that a release without places gave to a provider. */
async function notePlaces({ generations }: Collections): Promise<void> {
  const step = { $in: ['submitting', 'submitted'] } as const;
  await generations.updateMany({ open: true, step, place: { $exists: false } }, [
    { $set: { place: { $ifNull: [{ $last: '$attempts.provider' }, null] } } },
  ]);
}
