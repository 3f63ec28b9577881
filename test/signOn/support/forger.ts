import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from './realProvider.ts';

/** A provider whose responses a test sets. */
export interface Forger {
  issuer: string;
  client: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string };
  /** Sets the next responses: the claims, header and key of the token, or another response. */
  next: Forgery;
  /** The requests, by their paths. */
  asked: string[];
  close(): Promise<void>;
}

export interface Forgery {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signs with a key that the provider does not publish, or not at all. */
  signature?: 'foreign' | 'none' | 'damaged';
  /** Replaces the response of this path. */
  instead?: { path: string; respond: (response: ServerResponse) => void };
}

const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts it. A request's code is its nonce, so that no state is stored. */
export async function startForger(): Promise<Forger> {
  const server = createServer();
  const issuer = await listen(server);
  const forger: Forger = {
    issuer,
    client: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'framegate', OIDC_CLIENT_SECRET: 'secret' },
    next: {},
    asked: [],
    close: () => closeServer(server),
  };
  const responses: Record<string, (body: URLSearchParams) => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'none'],
    }),
    '/jwks': () => ({
      keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }],
    }),
    '/token': (body) => ({
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 60,
      id_token: tokenOf(forger, body.get('code') ?? ''),
    }),
  };
  server.on('request', (request, response) => {
    void respond(request, response);
  });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    forger.asked.push(pathname);
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { instead } = forger.next;
    if (instead?.path === pathname) {
      instead.respond(response);
      return;
    }
    const body = responses[pathname]?.(new URLSearchParams(text));
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  };
  return forger;
}

function tokenOf({ issuer, next }: Forger, nonce: string): string {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: 'framegate',
    sub: 'person',
    email: `${randomUUID()}@example.com`,
    email_verified: true,
    nonce,
    iat: nowSeconds,
    exp: nowSeconds + 60,
    ...next.claims,
  };
  const header = { alg: 'RS256', kid: 'own', ...next.header };
  const signed = `${encode(header)}.${encode(claims)}`;
  if (next.signature === 'none') return `${signed}.`;
  const key = next.signature === 'foreign' ? foreign.privateKey : own.privateKey;
  const signature = createSign('RSA-SHA256').update(signed).sign(key).toString('base64url');
  const isDamaged = next.signature === 'damaged';
  return `${signed}.${isDamaged ? signature.split('').toReversed().join('') : signature}`;
}
