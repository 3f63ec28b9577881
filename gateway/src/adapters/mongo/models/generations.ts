import { type ImageParameters, statuses, type VideoParameters } from '@framegate/contract';
import type { Generation } from '../../../domain/generations/generation.ts';
import { channels, generationTypes } from '../../../domain/generations/order.ts';
import { generationSteps } from '../../../domain/generations/work.ts';
import { codecOf } from './codec.ts';
import { movementSchema } from './credits.ts';
import {
  attemptSchema,
  eventSchema,
  failureSchema,
  inputSchema,
  monthCountedSchema,
  outputSchema,
  realPersonSchema,
  replaySchema,
  resolutionSchema,
  responsesSchema,
  type StoredAttempt,
  storedInputSchema,
  traceSchema,
  waitsForSchema,
} from './generationParts.ts';
import {
  count,
  countIfAny,
  documentSchema,
  flag,
  flagIfAny,
  mixedField,
  oneOf,
  type StoredOf,
  text,
  textIfAny,
  textOrNull,
  time,
  timeIfAny,
  timeOrNull,
} from './schema.ts';

/**
 * Fields by which an account's history is filtered. They follow the order in its indexes, so that a filter with few
 * matches reads keys instead of documents.
 */
const historyFilters = {
  deletedAt: 1,
  status: 1,
  model: 1,
  channel: 1,
  keyId: 1,
  madeBy: 1,
} as const;

/** Generations: the authoritative record. Costs in credits. */
export const generationSchema = documentSchema('generations', {
  _id: text,
  accountId: text,
  channel: oneOf(channels),
  keyId: textOrNull,
  madeBy: textIfAny,
  requestId: text,
  trace: { type: traceSchema, allowNull: false },
  type: oneOf(generationTypes),
  model: text,
  mode: textOrNull,
  prompt: text,
  inputs: { type: [inputSchema], required: true },
  parameters: mixedField<VideoParameters | ImageParameters>(),
  realPerson: { type: realPersonSchema, default: null },
  costCredits: count,
  catalogueVersion: count,
  priceGroup: textIfAny,
  refundedCredits: count,
  monthCounted: { type: monthCountedSchema, allowNull: false },
  charge: { type: [movementSchema], required: true },
  status: oneOf(statuses),
  step: oneOf(generationSteps),
  createdAt: time,
  startedAt: timeOrNull,
  endedAt: timeOrNull,
  deadlineAt: time,
  dueAt: time,
  leaseUntil: time,
  epoch: count,
  providerSlot: textOrNull,
  routeSlot: { type: String },
  waitsFor: { type: waitsForSchema, allowNull: false },
  inputAttempts: countIfAny,
  storedInputs: { type: [storedInputSchema], default: null },
  attempts: { type: [attemptSchema], required: true },
  outputs: { type: [outputSchema], required: true },
  outputsRemoveAt: timeOrNull,
  outputsRemovedAt: timeOrNull,
  tidyAt: timeOrNull,
  failure: { type: failureSchema, default: null },
  replay: { type: replaySchema, default: null },
  timeline: { type: [eventSchema], required: true },
  endNumber: countIfAny,
  replaces: textIfAny,
  isFavourite: flagIfAny,
  collectionIds: { type: [String], default: undefined, allowNull: false },
  deletedAt: timeIfAny,
  endSequence: countIfAny,

  // Fields of the store only.
  /** Unfinished; for the partial indexes. */
  open: flag,
  /** Waits for a slot; for a partial index. */
  waits: flag,
  leasedBy: textIfAny,
  /** Search terms from the providers' handles. */
  operationIds: { type: [String], default: undefined, allowNull: false },
  /** Responses of providers, by the attempt's number; null once the prompt is gone. */
  responses: { type: Map, of: responsesSchema },
  tidyLease: textIfAny,
  tidyDueAt: timeIfAny,
  tidyAttempts: countIfAny,
  /** Whether its owner has been mailed about its end. */
  isEndNotified: flagIfAny,
  erased: flagIfAny,
  /** The position of its end in the feed, assigned when the feed is first read that far (feed.ts). */
  position: countIfAny,
  resolution: { type: resolutionSchema },
})
  // One generation under one idempotency scope.
  .index(
    { accountId: 1, 'replay.scope': 1 },
    {
      name: 'accountScope',
      unique: true,
      partialFilterExpression: { 'replay.scope': { $exists: true } },
    },
  )
  // Generations waiting for a slot in their account, and those parked until a provider has one.
  .index(
    { step: 1, 'waitsFor.providers': 1, accountId: 1, createdAt: 1, _id: 1 },
    { name: 'waiting', partialFilterExpression: { waits: true } },
  )
  // Taken slots of a provider, its due polls, and counts of unfinished generations: all answered from the index alone.
  .index(
    { open: 1, providerSlot: 1, step: 1, dueAt: 1, status: 1, model: 1, createdAt: 1, _id: 1 },
    { name: 'unfinished', partialFilterExpression: { open: true } },
  )
  // The newest ends, their sums, and recent durations per model, from the index alone. Not `$type`: the planner would
  // not recognise a query for a time range as a subset.
  .index(
    {
      status: 1,
      endedAt: -1,
      model: 1,
      startedAt: 1,
      'parameters.resolution': 1,
      'parameters.duration_seconds': 1,
      'parameters.n': 1,
      refundedCredits: 1,
      costCredits: 1,
      _id: 1,
    },
    { name: 'ended', partialFilterExpression: { endedAt: { $gt: new Date(0) } } },
  )
  // An account's history, newest first.
  .index({ accountId: 1, _id: -1, ...historyFilters }, { name: 'history' })
  .index(
    { accountId: 1, _id: -1, isFavourite: 1, ...historyFilters },
    { name: 'favourites', partialFilterExpression: { isFavourite: true } },
  )
  .index(
    { collectionIds: 1, _id: -1, accountId: 1, ...historyFilters },
    { name: 'collections', partialFilterExpression: { collectionIds: { $exists: true } } },
  )
  .index(
    { tidyAt: 1 },
    { name: 'tidyAt', partialFilterExpression: { tidyAt: { $gt: new Date(0) } } },
  )
  // Ends in the order of the feed; those without a position come first.
  .index(
    { position: 1, accountId: 1, endNumber: 1 },
    { name: 'feed', partialFilterExpression: { open: false } },
  )
  // Wildcard index for rare lookups: staff's searches, and the slots taken at routes with their own limits. Only
  // present fields have keys.
  .index(
    { '$**': 1 },
    {
      name: 'values',
      wildcardProjection: { 'realPerson.consentReference': 1, operationIds: 1, routeSlot: 1 },
    },
  )
  // Resolved ones are kept apart from unresolved ones.
  .index(
    { 'resolution.resolvedAt': 1, endedAt: -1 },
    { name: 'unresolved', partialFilterExpression: { 'attempts.outcome': 'unknown' } },
  );

type OwnFields =
  | 'open'
  | 'waits'
  | 'leasedBy'
  | 'operationIds'
  | 'responses'
  | 'tidyLease'
  | 'tidyDueAt'
  | 'tidyAttempts'
  | 'isEndNotified'
  | 'erased'
  | 'position'
  | 'resolution';

export const generationCodec = codecOf<
  Omit<Generation, 'attempts'> & { attempts: StoredAttempt[] },
  OwnFields
>()(generationSchema);

/** A generation as it is stored. */
export type StoredGeneration = StoredOf<typeof generationSchema>;

/** The cost of a generation without its refund. */
export const keptCredits = { $subtract: ['$costCredits', '$refundedCredits'] };
