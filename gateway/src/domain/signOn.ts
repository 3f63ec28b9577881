import { normaliseEmail } from './signIn.ts';
import type { Account } from './account.ts';
import type { StaffRole } from './staffRights.ts';

/* Sign-on by an OpenID Connect provider: which account a set of claims means. */

/** A provider's statement about a person, with signature and times checked. */
export interface Claims {
  issuer: string;
  subject: string;
  /** In its usual form; null without one that the provider has verified. */
  email: string | null;
  /** Whether there is an address that the provider has not verified. */
  hasUnverifiedEmail: boolean;
  groups: string[];
  /** The values of `amr` and `acr`: how the person has signed in there. */
  methods: string[];
}

/** Longer identifiers are refused (OpenID Connect Core, section 2). */
const maxSubjectLength = 255;
const maxTexts = 500;

/**
 * Reads the claims of a token, and of the answer about the person.
 * @returns Null without a usable subject.
 */
export function readClaims(
  claims: Readonly<Record<string, unknown>>,
  groupsClaim: string,
): Claims | null {
  const { iss, sub, email, email_verified: verified, amr, acr } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') return null;
  if (sub === '' || sub.length > maxSubjectLength) return null;
  const address = typeof email === 'string' ? normaliseEmail(email) : null;
  // Some providers send the text "true"; anything else is not verified.
  const isVerified = verified === true || verified === 'true';
  return {
    issuer: iss,
    subject: sub,
    email: isVerified ? address : null,
    hasUnverifiedEmail: address !== null && !isVerified,
    groups: textsOf(claims[groupsClaim]),
    methods: [...textsOf(amr), ...textsOf(acr)],
  };
}

const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((each): each is string => typeof each === 'string')
    .slice(0, maxTexts);

/** The accounts that claims may mean. */
export interface KnownAccounts {
  /** The account that is linked with the identity. */
  linked: Pick<Account, 'id' | 'email' | 'verified' | 'status'> | null;
  /** The account with the address of the claims. */
  withEmail: Pick<Account, 'id'> | null;
}

/** Why nobody is signed in. */
export type NoEntry =
  /** The address belongs to another account, which only its owner can link. */
  | 'email_taken'
  | 'email_missing'
  | 'email_unverified'
  | 'no_sign_up'
  /** The address of the linked account was never verified. */
  | 'account_unverified'
  | 'no_role'
  | 'suspended';

/** The consequence of claims. */
export type Meaning =
  | { do: 'enter'; accountId: string; verifies: boolean }
  | { do: 'create'; email: string }
  | { do: 'refuse'; why: NoEntry };

/**
 * Which account a customer's claims mean: the one that is linked with the identity, and no other. An address opens no
 * account: the provider may have given it to another person since, or may be wrong about it.
 */
export function customerOf(
  claims: Claims,
  { linked, withEmail }: KnownAccounts,
  mayMake: boolean,
): Meaning {
  if (linked) {
    const verifies = !linked.verified && claims.email === linked.email;
    if (!linked.verified && !verifies) return refuse('account_unverified');
    return { do: 'enter', accountId: linked.id, verifies };
  }
  return newcomer(claims, withEmail, mayMake);
}

function newcomer(
  claims: Claims,
  withEmail: KnownAccounts['withEmail'],
  mayMake: boolean,
): Meaning {
  const { email, hasUnverifiedEmail } = claims;
  if (email === null) return refuse(hasUnverifiedEmail ? 'email_unverified' : 'email_missing');
  if (withEmail) return refuse('email_taken');
  return mayMake ? { do: 'create', email } : refuse('no_sign_up');
}

const refuse = (why: NoEntry): Meaning => ({ do: 'refuse', why });

/** Which groups of the provider have which role in the console. */
export interface StaffGroups {
  admin: readonly string[];
  support: readonly string[];
}

/** The role that groups give: the highest of theirs; null for none. */
export function roleOf(groups: readonly string[], staff: StaffGroups): StaffRole | null {
  const isAny = (wanted: readonly string[]) => wanted.some((each) => groups.includes(each));
  if (isAny(staff.admin)) return 'admin';
  return isAny(staff.support) ? 'support' : null;
}

/** Which account the claims of a member of staff mean; `role` is from `roleOf`. */
export function staffOf(claims: Claims, known: KnownAccounts, role: StaffRole | null): Meaning {
  if (role === null) return refuse('no_role');
  if (known.linked?.status === 'suspended') return refuse('suspended');
  return customerOf(claims, known, true);
}

/**
 * Whether a sign-in counts as one with a second factor.
 * @param trusted Values of `amr` or `acr`; `*` for the operator's word that the provider always asks for one.
 */
export function hasSecondFactor(
  claims: Pick<Claims, 'methods'>,
  trusted: readonly string[],
): boolean {
  return trusted.includes('*') || claims.methods.some((method) => trusted.includes(method));
}
