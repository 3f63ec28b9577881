import { createVerify, generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { signedByAws } from '../src/http/awsSignature.ts';
import { describedAt, taskWork } from './describedApi.ts';
import { closeRoutes, never, openRoute, videoRequest } from './routeFixtures.ts';
import { type Got, json, startTinyServer, type TinyServer } from './tinyServer.ts';

/*
 * Keys from which a request is made presentable: access tokens of Google service accounts, by the protocol that Google
 * documents for servers (OAuth 2.0 with a JWT, RFC 7523), and signatures of AWS.
 */

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const email = 'video@project.iam.gserviceaccount.com';
const account = JSON.stringify(
  { type: 'service_account', client_email: email, private_key: privateKey },
  null,
  2,
);
const google = { type: 'google-service-account' };

let server: TinyServer;
let tokens: (response: ServerResponse) => void;
let respond: (got: Got, response: ServerResponse) => void;
let nowMs: number;
beforeAll(async () => {
  server = await startTinyServer((got, response) =>
    got.path === '/token' ? tokens(response) : respond(got, response),
  );
});
beforeEach(() => {
  server.got.splice(0);
  nowMs = Date.now();
  let issued = 0;
  tokens = (response) =>
    json(response, 200, {
      access_token: `ya29.c.token-${(issued += 1)}`,
      expires_in: 3599,
      token_type: 'Bearer',
    });
  respond = (_, response) => json(response, 200, { id: 't1', state: 'wait' });
});
afterAll(async () => {
  await closeRoutes();
  await server.close();
});

const does = {
  modes: ['text-to-video'],
  seconds: [5],
  resolutions: ['720p'],
  aspectRatios: ['16:9'],
};

async function open(auth: object, key: string, work: object = taskWork) {
  const provider = describedAt(server, {
    rewriteOrigins: { 'https://oauth2.googleapis.com': server.origin },
    api: { auth, videos: work },
  });
  return (await openRoute(provider, 'model-1', { route: { does }, key, now: () => nowMs })).route;
}
const requestsTo = (path: string) => server.got.filter((got) => got.path === path);
const presented = () => requestsTo('/orders').map(({ headers }) => headers.authorization);

test('the token of a service account is requested as Google documents it', async () => {
  const route = await open(google, account);
  expect(await route.submit(videoRequest(), never)).toMatchObject({ kind: 'accepted' });
  expect(presented()).toEqual(['Bearer ya29.c.token-1']);
  const [{ method, headers, body } = {}] = requestsTo('/token');
  expect([method, headers?.['content-type']]).toEqual([
    'POST',
    expect.stringContaining('application/x-www-form-urlencoded'),
  ]);
  const form = new URLSearchParams(String(body));
  expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const isSigned = createVerify('RSA-SHA256')
    .update(`${head}.${claims}`)
    .verify(publicKey, signature, 'base64url');
  const { iat, exp, ...named } = JSON.parse(String(Buffer.from(claims, 'base64url'))) as {
    iat: number;
    exp: number;
  };
  expect([isSigned, exp - iat, named]).toEqual([
    ...[true, 3600],
    {
      iss: email,
      aud: 'https://oauth2.googleapis.com/token',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
    },
  ]);
});

test('a token is requested once for all, and again shortly before its end', async () => {
  const route = await open(google, account);
  const order = () => route.submit(videoRequest(), never);
  await Promise.all([order(), order()]);
  nowMs += 0.9 * hourMs;
  await route.poll({ taskId: 't1', endpoint: '/orders' }, videoRequest(), never);
  expect(requestsTo('/token')).toHaveLength(1);
  nowMs += 0.05 * hourMs;
  await order();
  expect(presented().at(-1)).toBe('Bearer ya29.c.token-2');
});

test('a token is kept for an hour at most, whatever its response says', async () => {
  tokens = (response) => json(response, 200, { access_token: 'ya29.c.long', expires_in: 1e9 });
  const route = await open(google, account);
  await route.submit(videoRequest(), never);
  nowMs += hourMs;
  await route.submit(videoRequest(), never);
  expect(requestsTo('/token')).toHaveLength(2);
});

test.each([
  [400, { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, false, 'key'],
  [503, { error: 'internal_failure' }, true, 'failure'],
  [200, { expires_in: 3599 }, true, 'failure'],
])('without a token (%i %j) an order is not sent', async (status, body, isBusy, kind) => {
  tokens = (response) => json(response, status, body);
  const route = await open(google, account);
  expect(await route.submit(videoRequest(), never)).toMatchObject({
    kind: 'refused',
    code: null,
    isBusy,
    health: { kind },
    note: expect.stringContaining('no access token'),
  });
  const operation = { taskId: 't1', endpoint: '/orders' };
  expect(await route.poll(operation, videoRequest(), never)).toMatchObject({ kind: 'fault' });
  expect(server.got.every(({ path }) => path === '/token')).toBe(true);
});

test('a call that ends while it awaits a token sends no order', async () => {
  const ended = new AbortController();
  const route = await open(google, account);
  const { promise: requested, resolve } = Promise.withResolvers<ServerResponse>();
  tokens = resolve;
  const made = route.submit(videoRequest(), ended.signal).catch(() => null);
  const response = await requested;
  ended.abort();
  await made;
  json(response, 200, { access_token: 'ya29.c.late', expires_in: 3599 });
  // The next order gets the same token, and is the only one.
  tokens = (again) => json(again, 200, { access_token: 'ya29.c.late', expires_in: 3599 });
  await route.submit(videoRequest(), never);
  expect(presented()).toEqual(['Bearer ya29.c.late']);
});

test('a request is shown without a token', async () => {
  const route = await open(google, account);
  expect(await route.show?.(videoRequest(), never)).toMatchObject({ method: 'POST', dropped: [] });
  expect(server.got).toEqual([]);
});

test('a token that a response repeats is not kept', async () => {
  const said = 'no access for ya29.c.token-1 here';
  respond = (_, response) => json(response, 403, { error: { message: said } });
  const made = await (await open(google, account)).submit(videoRequest(), never);
  expect(JSON.stringify(made)).toContain('no access for <redacted> here');
  expect(JSON.stringify(made)).not.toContain('token-1');
});

test('a request is signed for AWS as it is sent', async () => {
  const auth = { type: 'aws-sigv4', service: 'bedrock', region: 'us-east-1' } as const;
  const key = 'AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
  const submit = { path: '/model/{model}/invoke?b=2&a=1' };
  const route = await open(auth, key, { ...taskWork, submit });
  expect(await route.submit(videoRequest(), never)).toMatchObject({ kind: 'accepted' });
  const [got] = server.got;
  if (!got) throw new Error('no request');
  const { method, path, headers, body } = got;
  const signed = /SignedHeaders=([\w;-]+)/.exec(String(headers.authorization))?.[1]?.split(';');
  expect(signed).toEqual(['accept', 'content-type', 'host', 'x-amz-date']);
  const own = await signedByAws(
    auth,
    key,
    () => nowMs,
  )({
    method,
    url: `${server.origin}${path}`,
    body: JSON.stringify(body),
    headers: new Headers({
      accept: String(headers.accept),
      'content-type': String(headers['content-type']),
    }),
  });
  expect(headers.authorization).toBe(own.headers['authorization']);
});

test.each([
  [google, 'plain-key', 'providers.p.apiKeyEnv must give the JSON key of a Google service account'],
  [
    { type: 'aws-sigv4', service: 's3', region: 'eu-west-1' },
    'AKIDEXAMPLE',
    'providers.p.apiKeyEnv must give access key id:secret access key',
  ],
  [{ type: 'aws-sigv4', service: 'S3' }, 'a:b', 'api.auth.region is required'],
  [{ ...google, scopes: ['cloud'] }, account, 'api.auth.scopes[0] must be a valid uri'],
])('auth %j with a wrong part is refused', async (auth, key, problem) => {
  await expect(open(auth, key)).rejects.toThrow(problem);
});

test('a form cannot be signed for AWS', async () => {
  const auth = { type: 'aws-sigv4', service: 'bedrock', region: 'us-east-1' };
  const submit = { path: '/orders', encoding: 'multipart' };
  await expect(open(auth, 'a:b', { ...taskWork, submit })).rejects.toThrow(
    'must not have encoding "multipart" together with auth of type aws-sigv4',
  );
});
