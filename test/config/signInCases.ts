import type { Case, Name } from './settingCase.ts';

const client = {
  SIGN_IN: 'both',
  OIDC_ISSUER: 'https://login.example/realm',
  OIDC_CLIENT_ID: 'framegate',
  OIDC_CLIENT_SECRET: 'the secret of the client',
};

const groups = (gives: string[], read: Case['read']): Case => ({
  with: client,
  value: gives.join(','),
  read,
  gives,
  refused: 'a,,b',
});

/** Settings of how people sign in. */
export const signInCases = {
  SIGN_IN: {
    with: client,
    value: 'oidc',
    read: (c) => c.signIn.ways,
    gives: 'oidc',
    refused: 'saml',
  },
  STAFF_FACTOR: {
    with: { ACCOUNT_URL: 'https://app.example.com' },
    value: 'passkey',
    read: (c) => c.signIn.staffFactor,
    gives: 'passkey',
    refused: 'sms',
  },
  OIDC_ISSUER: {
    with: client,
    value: 'https://id.example/',
    read: (c) => c.signIn.oidc?.issuer,
    gives: 'https://id.example/',
    refused: 'http://id.example',
  },
  OIDC_TENANTS: {
    with: client,
    value: 'a-tenant,another',
    read: (c) => c.signIn.oidc?.tenants,
    gives: ['a-tenant', 'another'],
    refused: 'a tenant',
  },
  OIDC_CLIENT_ID: {
    with: client,
    value: 'video',
    read: (c) => c.signIn.oidc?.clientId,
    gives: 'video',
    refused: 'ä',
  },
  OIDC_CLIENT_SECRET: {
    with: client,
    value: 'another',
    read: (c) => c.signIn.oidc?.clientSecret,
    gives: 'another',
    refused: 'line\nbreak',
  },
  OIDC_NAME: {
    with: client,
    value: 'Example ID',
    read: (c) => c.signIn.oidc?.name,
    gives: 'Example ID',
    refused: '<b>',
  },
  OIDC_SCOPES: {
    with: client,
    value: 'openid  groups',
    read: (c) => c.signIn.oidc?.scopes,
    gives: 'openid groups',
    refused: 'email',
  },
  OIDC_GROUPS_CLAIM: {
    with: client,
    value: 'https://id.example/groups',
    read: (c) => c.signIn.oidc?.groupsClaim,
    gives: 'https://id.example/groups',
    refused: 'two words',
  },
  OIDC_STAFF_ADMIN_GROUPS: groups(['ops', 'leads'], (c) => c.signIn.oidc?.staffGroups.admin),
  OIDC_STAFF_SUPPORT_GROUPS: groups(['help'], (c) => c.signIn.oidc?.staffGroups.support),
  OIDC_STAFF_VIEWER_GROUPS: groups(['audit'], (c) => c.signIn.oidc?.staffGroups.viewer),
  OIDC_STAFF_FACTORS: {
    with: client,
    value: 'mfa,hwk',
    read: (c) => c.signIn.oidc?.staffFactors,
    gives: ['mfa', 'hwk'],
    refused: 'mfa,*',
  },
} satisfies Partial<Record<Name, Case>>;
