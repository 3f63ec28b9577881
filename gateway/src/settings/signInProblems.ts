import { type ConfigProblem, problemWith } from './setting.ts';
import type { SignInValues } from './signInSettings.ts';

/** Endpoints of Entra ID through which people of any tenant sign in. */
const manyTenants =
  /^https:\/\/login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn)\/(common|organizations|consumers)(\/|$)/i;

/** `STAFF_FACTOR=passkey` where no browser uses a passkey: without https, or at an address without a name. */
export function staffFactorProblems(values: {
  STAFF_FACTOR?: string | undefined;
  CONSOLE_URL?: string | null | undefined;
  ACCOUNT_URL?: string | null | undefined;
  BASE_URL?: string | null | undefined;
}): ConfigProblem[] {
  const publicUrl = values.CONSOLE_URL ?? values.ACCOUNT_URL ?? values.BASE_URL;
  if (values.STAFF_FACTOR !== 'passkey' || !publicUrl) return [];
  const { protocol, hostname } = new URL(publicUrl);
  const hasName = /[a-z]/.test(hostname.split('.').at(-1) ?? '') && !hostname.startsWith('[');
  if (hasName && (protocol === 'https:' || hostname === 'localhost')) return [];
  return [
    problemWith(
      'STAFF_FACTOR',
      'is "passkey": browsers use passkeys only at an ACCOUNT_URL with https and a name.',
    ),
  ];
}

/** Settings that `SIGN_IN` requires and that are missing or do not fit each other. */
export function signInProblems(values: Partial<SignInValues>): ConfigProblem[] {
  if (values.SIGN_IN === undefined || values.SIGN_IN === 'password') return [];
  return [...missing(values), ...tenantProblems(values)];
}

function tenantProblems({
  OIDC_ISSUER: issuer,
  OIDC_TENANTS: tenants,
  OIDC_STAFF_ADMIN_GROUPS: admins,
  OIDC_STAFF_SUPPORT_GROUPS: support,
  OIDC_STAFF_VIEWER_GROUPS: viewers,
}: Partial<SignInValues>): ConfigProblem[] {
  const problem = (what: string) => [problemWith('OIDC_TENANTS', what)];
  const count = tenants?.length ?? 0;
  if (count === 0 && manyTenants.test(issuer ?? '')) {
    return problem(
      "is not set: anyone can have a tenant at this OIDC_ISSUER. List the IDs of yours, or use your own tenant's issuer.",
    );
  }
  if (count > 1 && (admins ?? support ?? viewers ?? null) !== null) {
    return problem(
      'lists several tenants: groups can grant staff roles only if it lists exactly one.',
    );
  }
  return [];
}

function missing(values: Partial<SignInValues>): ConfigProblem[] {
  return (['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const)
    .filter((setting) => values[setting] === null)
    .map((setting) => problemWith(setting, `is not set: SIGN_IN=${values.SIGN_IN} requires it.`));
}
