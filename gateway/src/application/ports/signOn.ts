import type { Claims, StaffGroups } from '../../domain/signOn.ts';

/* Ports of sign-on by an OpenID Connect provider. */

/** The provider does not answer, or answers nonsense about itself. */
export class ProviderDown extends Error {}

/** The provider's answer about a person cannot be accepted, or says that nobody was signed in. */
export class AnswerRefused extends Error {
  /** Whether the person or the provider ended the sign-in. */
  readonly isCancelled: boolean;
  constructor(reason: string, isCancelled: boolean, options?: ErrorOptions) {
    super(reason, options);
    this.isCancelled = isCancelled;
  }
}

/** The random values that bind an answer to its request. */
export interface SignOnSecrets {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
}

/** An OpenID Connect provider. Every call ends within a few seconds. */
export interface SignOnProvider {
  /** The address to which the browser is sent. @throws ProviderDown */
  begin(secrets: SignOnSecrets, redirectUri: string): Promise<string>;
  /**
   * Takes the browser's return: fetches the token, and checks signature, issuer, audience, times and nonce.
   * @param returned The address that the browser was sent to, with its query.
   * @throws ProviderDown, AnswerRefused
   */
  finish(returned: URL, secrets: SignOnSecrets): Promise<{ claims: Claims; idToken: string }>;
  /** The address that ends the session at the provider; null if it is not known to have one. */
  endAddress(idToken: string | null, returnTo: string): string | null;
  /** Since when it has not answered, in ms since the epoch; null if it has, or was not asked. */
  downSince(): number | null;
}

/** A sign-on that was begun. Times in ms since the epoch, database time. */
export interface SignOnRequest {
  /** Hash of its state. */
  id: string;
  /** Hash of the cookie of the browser that began it. */
  browser: string;
  nonce: string;
  verifier: string;
  purpose: 'site' | 'link' | 'staff';
  /** The account that the identity shall be linked with; null for the other purposes. */
  accountId: string | null;
  /** The page that follows; null for the usual one. */
  next: string | null;
  expiresAt: number;
  usedAt: number | null;
}

/** Sign-ons under way. */
export interface SignOnRequestStore {
  insert(request: SignOnRequest): Promise<void>;
  /** Uses it up, atomically; null if it is unknown, was used or has expired. */
  take(id: string): Promise<SignOnRequest | null>;
}

/** The provider and the operator's rules for it. */
export interface SignOn {
  provider: SignOnProvider;
  requests: SignOnRequestStore;
  /** The provider's name on buttons. */
  name: string;
  /** Null: staff do not sign in by it. */
  staff: { groups: StaffGroups; trustedMethods: readonly string[] } | null;
}
