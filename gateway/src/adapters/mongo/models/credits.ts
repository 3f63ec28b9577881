import { lotKinds } from '../../../domain/credits.ts';
import { partSchema, text, timeOrNull, whole } from './schema.ts';

/** A kind of credit lot. */
export const lotKind = { type: String, required: true, enum: lotKinds } as const;

/** One lot's part of a ledger entry or of a charge; amounts in credits, negative where they were taken. */
export const movementSchema = partSchema({
  lotId: text,
  kind: lotKind,
  amount: whole,
  expiresAt: timeOrNull,
});
