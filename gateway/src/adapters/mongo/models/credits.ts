import { lotKinds } from '../../../domain/credits/credits.ts';
import { closedSchema, count, oneOf, text, time, timeOrNull, whole } from './schema.ts';

const kind = oneOf(lotKinds);

/** Credits granted at once; amounts in credits. */
export const lotSchema = closedSchema({
  id: text,
  kind,
  amount: count,
  remaining: count,
  expiresAt: timeOrNull,
  createdAt: time,
});

/** One lot's part of a ledger entry or of a charge; amounts in credits, negative if taken. */
export const movementSchema = closedSchema({
  lotId: text,
  kind,
  amount: whole,
  expiresAt: timeOrNull,
});

/** An amount in millionths of a currency's unit. */
export const moneySchema = closedSchema({ currency: text, micros: whole });
