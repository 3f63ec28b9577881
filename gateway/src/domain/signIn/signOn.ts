import { type Account, isRecovering } from '../accounts/account.ts';
import { type StaffRole, staffRoles } from '../staff/staffRights.ts';
import { normaliseEmail } from './email.ts';

/* Sign-on by an OpenID Connect provider: maps claims to an account. */

/** The operator's client at the provider. */
export interface OidcClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Separated by spaces. */
  scopes: string;
  groupsClaim: string;
  /** Tenants whose people may sign in; none if the issuer has one tenant only. */
  tenants: readonly string[];
}

/** A provider's statement about a person, with signature and times verified. */
export interface Claims {
  issuer: string;
  subject: string;
  /** Normalized; null unless the provider has verified one. */
  email: string | null;
  /** Whether there is an address that the provider has not verified. */
  hasUnverifiedEmail: boolean;
  groups: string[];
  /** The values of `amr` and `acr`: how the person signed in there. */
  methods: string[];
}

/** Longer identifiers are refused (OpenID Connect Core, section 2). */
const maxSubjectLength = 255;
const maxTexts = 500;

/**
 * Parses the claims of a token, and of the userinfo response.
 * @returns Null without a usable subject.
 */
export function parseClaims(
  claims: Readonly<Record<string, unknown>>,
  groupsClaim: string,
): Claims | null {
  const { iss, sub, email, email_verified: verified, amr, acr } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string') return null;
  if (sub === '' || sub.length > maxSubjectLength) return null;
  const normalised = typeof email === 'string' ? normaliseEmail(email) : null;
  // Some providers send the text "true"; any other value means unverified.
  const isVerified = verified === true || verified === 'true';
  return {
    issuer: iss,
    subject: sub,
    email: isVerified ? normalised : null,
    hasUnverifiedEmail: normalised !== null && !isVerified,
    groups: textsOf(claims[groupsClaim]),
    methods: [...textsOf(amr), ...textsOf(acr)],
  };
}

/** Whether an issuer's metadata speaks for many tenants, each with people and groups of its own. */
export const isForManyTenants = (issuer: string): boolean => issuer.includes('{');

/**
 * Whether a token is of a tenant that the operator lists. The issuer must name the tenant as well, because everyone
 * may have a tenant at such a provider.
 * @param issuer The issuer of the provider's metadata, such as `https://id.example/{tenantid}/v2.0`.
 * @param tenants Ids of tenants; none if the provider has one tenant only.
 */
export function isOfTenant(
  { iss, tid }: Readonly<Record<string, unknown>>,
  issuer: string,
  tenants: readonly string[],
): boolean {
  if (tenants.length === 0) return !isForManyTenants(issuer) && iss === issuer;
  return (
    typeof tid === 'string' &&
    tenants.includes(tid) &&
    iss === issuer.replaceAll('{tenantid}', () => tid)
  );
}

const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((each): each is string => typeof each === 'string')
    .slice(0, maxTexts);

/** The accounts to which claims may refer. */
export interface KnownAccounts {
  /** The account linked to the identity. */
  linked: Pick<Account, 'id' | 'email' | 'isVerified' | 'status' | 'recovery'> | null;
  /** The account with the claimed address. */
  withEmail: Pick<Account, 'id'> | null;
}

/** The reason why no one is signed in. */
export type NoEntry =
  /** The address belongs to another account, which only its owner can link. */
  | 'email_taken'
  | 'without_email'
  | 'email_not_verified'
  | 'no_sign_up'
  /** The address of the linked account was never verified. */
  | 'account_not_verified'
  /** The password was reset, and its owner has not chosen yet which identities to keep. */
  | 'recovering'
  | 'no_role'
  | 'suspended';

/** The consequence of claims. */
export type SignOnDecision =
  | { do: 'enter'; accountId: string; verifies: boolean }
  | { do: 'create'; email: string }
  | { do: 'refuse'; why: NoEntry };

/**
 * The account of a customer's claims: the one linked to the identity, and no other. An address opens no account: the
 * provider may have reassigned it to another person, or may be wrong about it.
 */
export function customerMeaning(
  claims: Claims,
  { linked, withEmail }: KnownAccounts,
  mayMake: boolean,
): SignOnDecision {
  if (linked) {
    const verifies = !linked.isVerified && claims.email === linked.email;
    if (!linked.isVerified && !verifies) return refuse('account_not_verified');
    if (isRecovering(linked)) return refuse('recovering');
    return { do: 'enter', accountId: linked.id, verifies };
  }
  return newcomer(claims, withEmail, mayMake);
}

function newcomer(
  claims: Claims,
  withEmail: KnownAccounts['withEmail'],
  mayMake: boolean,
): SignOnDecision {
  const { email, hasUnverifiedEmail } = claims;
  if (email === null) return refuse(hasUnverifiedEmail ? 'email_not_verified' : 'without_email');
  if (withEmail) return refuse('email_taken');
  return mayMake ? { do: 'create', email } : refuse('no_sign_up');
}

const refuse = (why: NoEntry): SignOnDecision => ({ do: 'refuse', why });

/** The provider's groups for each role in the console. */
export type StaffGroups = Readonly<Record<StaffRole, readonly string[]>>;

/** The highest role that groups grant; null for none. */
export function roleOf(groups: readonly string[], staff: StaffGroups): StaffRole | null {
  const isGranted = (role: StaffRole) => staff[role].some((each) => groups.includes(each));
  return staffRoles.findLast(isGranted) ?? null;
}

/** The account of a staff member's claims; `role` is from `roleOf`. */
export function staffMeaning(
  claims: Claims,
  accounts: KnownAccounts,
  role: StaffRole | null,
): SignOnDecision {
  if (role === null) return refuse('no_role');
  if (accounts.linked?.status === 'suspended') return refuse('suspended');
  return customerMeaning(claims, accounts, true);
}

/**
 * Whether a sign-in used a second factor.
 * @param trusted Values of `amr` or `acr`; `*` if the operator vouches that the provider always requires one.
 */
export function hasSecondFactor(
  claims: Pick<Claims, 'methods'>,
  trusted: readonly string[],
): boolean {
  return trusted.includes('*') || claims.methods.some((method) => trusted.includes(method));
}
