import type { IndexDefinition, IndexOptions } from 'mongoose';

/** Indexes of generations that only the release before names: the next release drops them (docs/adr/0025). */
export const leavingIndexes: readonly (readonly [
  IndexDefinition,
  IndexOptions & { name: string },
])[] = [
  [
    { 'replay.scope': 1 },
    {
      name: 'idempotencyScope',
      unique: true,
      partialFilterExpression: { 'replay.scope': { $exists: true } },
    },
  ],
  [
    { step: 1, accountId: 1, createdAt: 1 },
    { name: 'waits', partialFilterExpression: { waits: true } },
  ],
  [
    { 'waitsFor.providers': 1, accountId: 1, createdAt: 1 },
    { name: 'parkedFor', partialFilterExpression: { step: 'parked' } },
  ],
  [{ 'waitsFor.at': 1 }, { name: 'parkedJudged', partialFilterExpression: { step: 'parked' } }],
  [{ routePlace: 1 }, { name: 'routePlace', partialFilterExpression: { routePlace: { $gt: '' } } }],
  [
    { status: 1, endedAt: -1, costCredits: 1 },
    { name: 'ends', partialFilterExpression: { endedAt: { $gt: new Date(0) } } },
  ],
  [
    { status: 1, endedAt: -1, refundedCredits: 1, costCredits: 1 },
    { name: 'refunds', partialFilterExpression: { status: 'failed' } },
  ],
  [
    {
      model: 1,
      status: 1,
      endedAt: -1,
      startedAt: 1,
      'parameters.resolution': 1,
      'parameters.duration_seconds': 1,
      'parameters.n': 1,
    },
    { name: 'durations', partialFilterExpression: { endedAt: { $gt: new Date(0) } } },
  ],
  [
    { 'realPerson.consentReference': 1 },
    {
      name: 'consent',
      partialFilterExpression: { 'realPerson.consentReference': { $exists: true } },
    },
  ],
  [
    { upstreamIds: 1 },
    { name: 'upstreamId', partialFilterExpression: { upstreamIds: { $exists: true } } },
  ],
];
