import type { OidcClient } from '../domain/signIn/signOn.ts';
import type { StaffRole } from '../domain/staff/staffRights.ts';
import {
  choice,
  commaSeparated,
  parsedSetting,
  type ParsedValues,
  textSetting,
} from './setting.ts';

const claimName = /^[\x21-\x7e]{1,200}$/;

/** Settings of sign-in. */
export const signInSettings = {
  SIGN_IN: choice({
    of: ['password', 'oidc', 'both'],
    fallback: 'password',
    meaning:
      'How people sign in: with a password, through your OpenID Connect provider, or either way.',
  }),
  STAFF_FACTOR: choice({
    of: ['any', 'passkey'],
    fallback: 'any',
    meaning:
      'The two-factor authentication of staff: an app or a passkey, or only a passkey (which needs an `ACCOUNT_URL` with https and a name).',
  }),
  OIDC_ISSUER: parsedSetting(
    {
      allowed: 'an https address without query or fragment, or http on this machine',
      fallbackText: 'none',
      meaning:
        'The issuer of your OpenID Connect provider. Its URLs and keys are requested when someone signs in.',
    },
    parseIssuer,
  ),
  OIDC_TENANTS: parsedSetting(
    {
      allowed: 'tenant,tenant…; only one if groups grant staff roles',
      fallbackText: 'none: the issuer has only one tenant',
      meaning:
        "IDs of the tenants whose users may sign in, for issuers with many tenants, such as Entra ID's `common` and `organizations`.",
    },
    parseTenants,
  ),
  OIDC_CLIENT_ID: textSetting({
    fallbackText: 'none',
    allowed: '1 to 255 visible characters',
    pattern: /^[\x20-\x7e]{1,255}$/,
    meaning: "Framegate's client ID at your provider.",
  }),
  OIDC_CLIENT_SECRET: textSetting({
    fallbackText: 'none',
    allowed: '1 to 1,000 visible characters',
    pattern: /^[\x20-\x7e]{1,1000}$/,
    isSecret: true,
    meaning: "Framegate's client secret at your provider.",
  }),
  OIDC_NAME: textSetting({
    fallback: 'single sign-on',
    allowed: '1 to 60 characters',
    pattern: /^[^<>\r\n]{1,60}$/,
    meaning: 'The name of your provider on buttons: "Sign in with …".',
  }),
  OIDC_SCOPES: parsedSetting(
    {
      fallback: 'openid email profile',
      allowed: 'scopes separated by spaces, including openid',
      meaning:
        'The scopes requested from your provider. Some providers need a special scope for groups.',
    },
    parseScopes,
  ),
  OIDC_GROUPS_CLAIM: textSetting({
    fallback: 'groups',
    allowed: 'a name of 1 to 200 visible characters without spaces',
    pattern: claimName,
    meaning: "The claim that contains a staff member's groups, as a list of strings.",
  }),
  OIDC_STAFF_ADMIN_GROUPS: parsedSetting(
    {
      allowed: 'group,group…',
      fallbackText: 'none',
      meaning:
        'Groups whose members are admins of the console. Roles are granted, changed and removed at each sign-in to the console.',
    },
    parseList,
  ),
  OIDC_STAFF_SUPPORT_GROUPS: parsedSetting(
    {
      allowed: 'group,group…',
      fallbackText: 'none',
      meaning: 'Groups whose members have the role support.',
    },
    parseList,
  ),
  OIDC_STAFF_VIEWER_GROUPS: parsedSetting(
    {
      allowed: 'group,group…',
      fallbackText: 'none',
      meaning: 'Groups whose members can view the console but change nothing.',
    },
    parseList,
  ),
  OIDC_STAFF_FACTORS: parsedSetting(
    {
      allowed: 'value,value…, or * alone',
      fallbackText: 'none: the console asks for its own code',
      meaning:
        'Values of `amr` or `acr` that count as two-factor authentication of staff, such as `mfa`; `*` if your provider always requires one.',
    },
    parseFactors,
  ),
};

/** @throws Error naming the problem. */
function parseIssuer(value: string): string {
  const url = URL.parse(value);
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '');
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere))) {
    throw new Error('it is not an https address');
  }
  if (url.username !== '' || url.password !== '') throw new Error('it contains a user name');
  if (/[?#]/.test(value)) throw new Error('it contains a query or a fragment');
  return value;
}

function parseScopes(value: string): string {
  const scopes = value.split(/ +/);
  if (!scopes.includes('openid')) throw new Error('openid is missing');
  if (!scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope))) {
    throw new Error('one of them is not a scope');
  }
  return scopes.join(' ');
}

function parseList(value: string): readonly string[] {
  const items = commaSeparated(value);
  if (items.includes('')) throw new Error('an item is empty');
  return items;
}

function parseTenants(value: string): readonly string[] {
  const items = parseList(value);
  if (!items.every((item) => /^[\w.-]{1,100}$/.test(item))) {
    throw new Error('one of them is not a tenant ID');
  }
  return items;
}

function parseFactors(value: string): readonly string[] {
  const items = parseList(value);
  if (items.includes('*') && items.length > 1) throw new Error('* must stand alone');
  return items;
}

/** The values of the settings of sign-in. */
export type SignInValues = ParsedValues<typeof signInSettings>;

/** The sign-in provider, and its groups for staff. */
export interface OidcConfig extends OidcClient {
  name: string;
  /** Groups of the provider that give each role in the console. */
  staffGroups: Readonly<Record<StaffRole, readonly string[]>>;
  /** Values of `amr` or `acr` that count as a second factor; `*` for any. */
  staffFactors: readonly string[];
}

/** The configured ways to sign in. */
export interface SignInConfig {
  ways: 'password' | 'oidc' | 'both';
  /** The second factors that staff may use. */
  staffFactor: 'any' | 'passkey';
  /** Null for passwords only. */
  oidc: OidcConfig | null;
}

/** Arranges the settings of sign-in. */
export function arrangeSignIn(values: SignInValues): SignInConfig {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    STAFF_FACTOR: staffFactor,
  } = values;
  if (
    values.SIGN_IN === 'password' ||
    issuer === null ||
    clientId === null ||
    clientSecret === null
  ) {
    return { ways: 'password', staffFactor, oidc: null };
  }
  return {
    ways: values.SIGN_IN,
    staffFactor,
    oidc: {
      issuer,
      clientId,
      clientSecret,
      name: values.OIDC_NAME,
      scopes: values.OIDC_SCOPES,
      groupsClaim: values.OIDC_GROUPS_CLAIM,
      tenants: values.OIDC_TENANTS ?? [],
      staffGroups: {
        admin: values.OIDC_STAFF_ADMIN_GROUPS ?? [],
        support: values.OIDC_STAFF_SUPPORT_GROUPS ?? [],
        viewer: values.OIDC_STAFF_VIEWER_GROUPS ?? [],
      },
      staffFactors: values.OIDC_STAFF_FACTORS ?? [],
    },
  };
}
