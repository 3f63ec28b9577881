import { createHash, createHmac } from 'node:crypto';
import { minuteMs } from '@framegate/contract';
import type { VersionedSecret } from '../accounts/apiKey.ts';

/* Links through which the operator's product hands a signed-in customer over to the site. */

/** Validity of a link, in ms: a minute. */
export const signInLinkMs = minuteMs;

/** A link as stored. Times in ms since the epoch, database time. */
export interface SignInLink {
  /** Hash of its token. */
  id: string;
  accountId: string;
  /** The page to show next; null for the default. */
  returnTo: string | null;
  expiresAt: number;
  usedAt: number | null;
}

/**
 * The token of a link, derived from the link's public id and a secret, so that a repeated request can return the same
 * link although the token is stored nowhere.
 */
export function linkToken(publicId: string, { secret }: Pick<VersionedSecret, 'secret'>): string {
  return createHmac('sha256', secret).update(`sign-in link ${publicId}`).digest('base64url');
}

/** The id under which a token's link is stored. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(`sign-in link ${token}`).digest('hex');
}
