import { createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSignOnProvider } from '../../gateway/src/adapters/oidc/provider.ts';
import { collectLog } from '../support/mongod.ts';

/*
 * The attack: the issuer serves every tenant in the world with one key, and a stranger's own tenant gives them any
 * group. Only the library's rule for this provider expands the issuer, so the test makes its responses.
 */

const base = 'https://login.microsoftonline.com';
const key = generateKeyPairSync('rsa', { modulusLength: 2048 });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
let claims: Record<string, unknown> = {};

function responseTo(path: string): object {
  if (path.endsWith('/openid-configuration')) {
    return {
      issuer: `${base}/{tenantid}/v2.0`,
      authorization_endpoint: `${base}/common/authorize`,
      token_endpoint: `${base}/common/token`,
      jwks_uri: `${base}/common/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }
  if (path.endsWith('/keys')) {
    return { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256' }] };
  }
  const nowSeconds = Math.floor(Date.now() / 1000);
  const times = { aud: 'framegate', iat: nowSeconds, exp: nowSeconds + 60, nonce: 'n' };
  const signed = `${encode({ alg: 'RS256', kid: 'k' })}.${encode({ ...times, ...claims })}`;
  const signature = createSign('RSA-SHA256').update(signed).sign(key.privateKey);
  const id_token = `${signed}.${signature.toString('base64url')}`;
  return { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token };
}

const { fetch } = globalThis;
beforeAll(() => {
  globalThis.fetch = async (url) => {
    const { pathname } = new URL(url instanceof Request ? url.url : url);
    return Response.json(responseTo(pathname));
  };
});
afterAll(() => {
  globalThis.fetch = fetch;
});

const secrets = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
const callback = 'https://site.example/sign-in/oidc/callback';

function providerFor(tenants: readonly string[]) {
  const settings = {
    issuer: `${base}/common/v2.0`,
    clientId: 'framegate',
    clientSecret: 's',
    scopes: 'openid email',
    groupsClaim: 'roles',
    needsGroups: true,
    tenants,
  };
  return createSignOnProvider(settings, { clock: Date, log: collectLog().log });
}

const signIn = (provider: ReturnType<typeof providerFor>) =>
  provider.exchangeCode(new URL(`${callback}?code=c&state=s`), secrets);
const tokenOf = (tid: string, issuer = tid) => ({
  tid,
  iss: `${base}/${issuer}/v2.0`,
  sub: `person of ${tid}`,
  email: `${tid}@example.com`,
  email_verified: true,
  roles: ['admins'],
});

test('no one is sent to such an issuer without a list of tenants', async () => {
  await expect(providerFor([]).makeAuthorizationUrl(secrets, callback)).rejects.toThrow(
    'does not respond',
  );
});

test('only people of listed tenants are let in, and no token that names another issuer', async () => {
  const provider = providerFor(['own']);
  await provider.makeAuthorizationUrl(secrets, callback);
  claims = tokenOf('own');
  expect((await signIn(provider)).claims).toMatchObject({ subject: 'person of own' });
  claims = tokenOf('stranger');
  await expect(signIn(provider)).rejects.toThrow('another tenant');
  claims = tokenOf('own', 'stranger');
  await expect(signIn(provider)).rejects.toThrow();
});
