import type { AnyErrorCode } from '@framegate/contract';

/** What is known about a refusal before its values. */
interface RefusalEntry {
  /** HTTP status of a page that shows it. */
  status: 400 | 403 | 404 | 409 | 413 | 429 | 503;
  /** The field at fault, as the operator API calls it. */
  param?: string;
}

/**
 * Codes of refusals that the contracts of the APIs do not publish: those of pages, of the console and of the command
 * line. Their words, with the values that they need, are the texts `refusals.<code>`.
 */
export const ownRefusals = {
  amount_not_whole: { status: 400 },
  form_stale: { status: 403 },
  role_lacks_right: { status: 403 },
} as const satisfies Record<string, RefusalEntry>;

/** A code of `ownRefusals`. */
export type OwnRefusalCode = keyof typeof ownRefusals;

/** Any code of a refusal. */
export type RefusalCode = AnyErrorCode | OwnRefusalCode;

/** The field at fault, as the operator API calls it; undefined where no single one is. */
export function paramOf(code: OwnRefusalCode): string | undefined {
  const entry: RefusalEntry = ownRefusals[code];
  return entry.param;
}

/** Whether a code is one of `ownRefusals`. */
export function isOwnCode(code: RefusalCode): code is OwnRefusalCode {
  return code in ownRefusals;
}
