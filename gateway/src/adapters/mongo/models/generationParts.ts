import { type FailureCode, failureCodes, inputRoles, inputTypes } from '@framegate/contract';
import { deliveryAspects } from '@framegate/contract/deliveryAspects';
import { type FileKind, fileKinds } from '@framegate/contract/fileKinds';
import {
  type Attempt,
  type KeptResponse,
  refusedForReasons,
} from '../../../domain/generations/attempt.ts';
import type { WaitsFor } from '../../../domain/generations/slots.ts';
import type { TimelineEvent } from '../../../domain/generations/work.ts';
import { codecOf } from './codec.ts';
import { moneySchema } from './credits.ts';
import {
  count,
  countIfAny,
  flag,
  flagIfAny,
  mixedField,
  oneOf,
  partSchema,
  text,
  textIfAny,
  textOrNull,
  time,
  timeIfAny,
} from './schema.ts';

const ownOutputSchema = partSchema({ generationId: text, index: count });

/** An input as ordered. */
export const inputSchema = partSchema({
  type: oneOf(inputTypes),
  role: oneOf(inputRoles),
  url: text,
  ownOutput: { type: ownOutputSchema, default: null },
  ownUpload: textIfAny,
});

/** An input copied into the media store. */
export const storedInputSchema = partSchema({
  key: text,
  mediaType: text,
  bytes: count,
  /** Hexadecimal digits. */
  sha256: text,
  seconds: { type: Number, allowNull: false },
});

/** A finished file. */
export const outputSchema = partSchema({
  key: text,
  extension: text,
  mediaType: text,
  bytes: count,
  /** Hexadecimal digits. */
  sha256: text,
  hasPoster: flagIfAny,
});

/** The customer's declaration in real-person mode. */
export const realPersonSchema = partSchema({
  consentReference: text,
  policyVersion: text,
  callerAddress: text,
});

/** The span of a create. */
export const traceSchema = partSchema({ traceId: text, spanId: text, isSampled: flag });

/** Monthly counts that a charge has raised; the month is counted from the year 0. */
export const monthCountedSchema = partSchema({
  month: count,
  keyId: textOrNull,
  memberId: textOrNull,
});

/** Why a generation is parked. */
export const waitsForSchema = partSchema({
  providers: { type: [String], required: true },
  at: time,
});

/** The reason of a failure. */
export const failureSchema = partSchema({
  code: oneOf(Object.keys(failureCodes) as [FailureCode]),
  param: textIfAny,
  wrongFile: {
    type: partSchema({
      actualKind: oneOf(Object.keys(fileKinds) as [FileKind]),
      expected: oneOf(inputTypes),
    }),
    allowNull: false,
  },
  wasCancelled: flagIfAny,
});

/** The first response to a create request. */
export const replaySchema = partSchema({
  scope: text,
  fingerprint: text,
  keptUntil: time,
  body: text,
  headers: mixedField<Record<string, string>>(),
});

/** An event of a generation's history. */
export const eventSchema = partSchema({
  at: time,
  what: text,
  /** Host and process id of the writer. */
  process: textIfAny,
});

/** Staff's resolution of an unknown outcome. */
export const resolutionSchema = partSchema({ resolvedAt: time, isFound: flag, by: text });

const responseSchema = partSchema({
  request: text,
  status: { type: Number, default: null },
  mediaType: textOrNull,
  body: textOrNull,
  failure: textOrNull,
  at: time,
});

/** The provider's responses in one attempt. */
export const responsesSchema = partSchema({
  submit: { type: responseSchema, allowNull: false },
  poll: { type: responseSchema, allowNull: false },
});

const cancelSchema = partSchema({ at: time, isAccepted: flag, note: text });

const differenceSchema = partSchema({
  in: oneOf(deliveryAspects),
  ordered: text,
  delivered: text,
  isGross: flagIfAny,
});

const refusedFileSchema = partSchema({
  key: text,
  bytes: count,
  /** Hexadecimal digits. */
  sha256: text,
  /** Hexadecimal digits. */
  head: text,
  width: countIfAny,
  height: countIfAny,
  seconds: { type: Number, allowNull: false },
  sound: flagIfAny,
  problem: textIfAny,
});

/** An attempt at a provider. */
export const attemptSchema = partSchema({
  number: { ...count, min: 1 },
  provider: text,
  model: text,
  startedAt: time,
  key: textIfAny,
  refusedFor: { type: String, enum: refusedForReasons, allowNull: false },
  keyPrint: textIfAny,
  isLimited: flagIfAny,
  outcome: oneOf(['open', 'accepted', 'refused', 'unknown', 'completed', 'failed']),
  /** The provider's handle, as JSON. */
  handle: textOrNull,
  operationShown: textIfAny,
  taskId: textIfAny,
  operationFrom: { type: String, enum: ['staff'], allowNull: false },
  note: textOrNull,
  fault: textIfAny,
  doubt: {
    type: partSchema({ sign: text, times: count, since: time, reason: text, bytes: countIfAny }),
    allowNull: false,
  },
  finishedAt: timeIfAny,
  fetches: { type: partSchema({ attempts: count, at: time, error: text }), allowNull: false },
  arrived: {
    type: partSchema({ at: time, keys: { type: [String], required: true } }),
    allowNull: false,
  },
  refused: {
    type: partSchema({
      at: time,
      until: time,
      files: { type: [refusedFileSchema], required: true },
    }),
    allowNull: false,
  },
  cost: { type: moneySchema, default: null },
  charged: { type: moneySchema, allowNull: false },
  isFree: flagIfAny,
  reported: textIfAny,
  cancel: { type: cancelSchema, allowNull: false },
  differences: { type: [differenceSchema], default: undefined, allowNull: false },
  lost: {
    type: partSchema({
      reason: oneOf([
        'not_stored',
        'process_stopped',
        'lease_lost',
        'invalid_output',
        'not_as_ordered',
        'no_result',
        'file_missing',
      ]),
      note: text,
    }),
    allowNull: false,
  },
});

/** An attempt as it is stored: its handle as JSON, and the provider's responses apart from it. */
export type StoredAttempt = Omit<Attempt, 'responses' | 'operation'> & { handle: string | null };

export const attemptCodec = codecOf<StoredAttempt>()(attemptSchema);
export const responsesCodec = codecOf<NonNullable<Attempt['responses']>>()(responsesSchema);
export const eventCodec = codecOf<TimelineEvent>()(eventSchema);
export const cancelCodec = codecOf<NonNullable<Attempt['cancel']>>()(cancelSchema);
export const waitsForCodec = codecOf<WaitsFor>()(waitsForSchema);
export const responseCodec = codecOf<KeptResponse>()(responseSchema);
