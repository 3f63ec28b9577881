import type { Claims, StaffGroups } from '../../domain/signIn/signOn.ts';

/* Ports of sign-on by an OpenID Connect provider. */

/** The provider does not respond, or its metadata is invalid. */
export class IdentityProviderDownError extends Error {
  override readonly name = 'IdentityProviderDownError';
}

/** The provider's response about a person is unacceptable, or reports that no one signed in. */
export class ResponseRefusedError extends Error {
  override readonly name = 'ResponseRefusedError';
  /** Whether the person or the provider cancelled the sign-in. */
  readonly isCancelled: boolean;
  constructor(reason: string, isCancelled: boolean, options?: ErrorOptions) {
    super(reason, options);
    this.isCancelled = isCancelled;
  }
}

/** The random values that bind a response to its request. */
export interface SignOnSecrets {
  state: string;
  nonce: string;
  /** Code verifier of PKCE (RFC 7636). */
  verifier: string;
}

/** An OpenID Connect provider. Every call returns within a few seconds. */
export interface SignOnProvider {
  /** The URL to send the browser to. @throws IdentityProviderDownError */
  makeAuthorizationUrl(secrets: SignOnSecrets, redirectUri: string): Promise<string>;
  /**
   * Handles the browser's return: fetches the token, and checks signature, issuer, audience, times and nonce.
   * @param returned The URL that the browser returned to, with its query.
   * @throws IdentityProviderDownError, ResponseRefusedError
   */
  exchangeCode(returned: URL, secrets: SignOnSecrets): Promise<{ claims: Claims; idToken: string }>;
  /** The URL that ends the session at the provider; null if none is known. */
  endSessionUrl(idToken: string | null, returnTo: string): string | null;
  /** Since when it has not responded, in ms since the epoch; null if it responds or was not asked. */
  downSince(): number | null;
}

/** A sign-on in progress. Times in ms since the epoch, database time. */
export interface SignOnRequest {
  /** Hash of its state. */
  id: string;
  /** Hash of the cookie of the browser that started it. */
  browser: string;
  nonce: string;
  verifier: string;
  purpose: 'site' | 'link' | 'staff';
  /** The account to link the identity to; null for other purposes. */
  accountId: string | null;
  /** The page to show next; null for the default. */
  next: string | null;
  expiresAt: number;
  usedAt: number | null;
}

/** Sign-ons in progress. */
export interface SignOnRequestStore {
  insert(request: SignOnRequest): Promise<void>;
  /** Consumes it atomically; null if it is unknown, used or expired. */
  take(id: string): Promise<SignOnRequest | null>;
}

/** The provider and the operator's rules for it. */
export interface SignOn {
  provider: SignOnProvider;
  requests: SignOnRequestStore;
  /** The provider's name on buttons. */
  name: string;
  /** Null if staff do not use it to sign in. */
  staff: { groups: StaffGroups; trustedMethods: readonly string[] } | null;
}
