import { type Exchange, isAnswered } from './exchanges.ts';
import { valuesAt } from './http/pointers.ts';
import type { ReportedCharge, Submission } from './route.ts';
import { parseJson } from './unknownJson.ts';

/** The place in a provider's responses that states its charge for an order. */
export interface ChargePlace {
  /** A JSON pointer. */
  at: string;
  /** The unit of the stated number: `currency`, or tokens, which the route's cost prices. */
  factor: number;
  currency?: string;
}

/** Maximum of an amount in millionths, and of tokens. */
const maxReported = 1e12;
/** Longer responses, in characters, are not searched for figures. */
export const maxBodyCharacters = 262_144;
/** A number in a string. */
export const decimal = /^-?\d{1,15}(\.\d{1,12})?$/;

/** The charge stated by the latest response that states one; undefined if none does. */
export function chargeIn(
  { at, factor, currency }: ChargePlace,
  exchanges: readonly Exchange[],
): ReportedCharge | undefined {
  const stated = exchanges
    .filter(isAnswered)
    .toReversed()
    .map(({ body, outline }) => body ?? outline ?? '')
    .filter(({ length }) => length <= maxBodyCharacters)
    .flatMap((text) => valuesAt(parseJson(text), at).slice(0, 1))
    .find((value) => value !== null);
  if (stated === undefined) return undefined;
  const isNumber =
    typeof stated === 'number' || (typeof stated === 'string' && decimal.test(stated));
  if (!isNumber) return { unreadable: typeof stated };
  const micros = Number(stated) * factor * (currency === undefined ? 1 : 1e6);
  if (!(micros >= 0 && micros <= maxReported)) return { unreadable: String(stated) };
  return currency === undefined ? { tokens: micros } : { currency, micros: Math.round(micros) };
}

/** The sum of the charges of an order's calls; undefined unless every call that was not refused reports one. */
export function sumOfCharges(
  calls: readonly Pick<Submission, 'kind' | 'charged'>[],
): ReportedCharge | undefined {
  const paid = calls.filter(({ kind, charged }) => kind !== 'refused' || charged);
  let sum = paid[0]?.charged;
  for (const { charged } of paid.slice(1)) {
    if (!sum || !charged) return undefined;
    if ('micros' in sum && 'micros' in charged) {
      sum = { ...sum, micros: sum.micros + charged.micros };
    } else if ('tokens' in sum && 'tokens' in charged) {
      sum = { tokens: sum.tokens + charged.tokens };
    } else {
      sum = 'unreadable' in sum ? sum : charged;
    }
  }
  return sum;
}
