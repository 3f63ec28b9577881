import { createHmac, createPrivateKey } from 'node:crypto';
import { holdBackInRehearsal } from '../droppedParameters.ts';
import { currentCall } from '../exchanges.ts';
import { type Api, KeyRefusedError, type PresentKey } from '../ownRequests.ts';
import { shortMessageOf } from '../providerFailures.ts';
import { fieldsOf, parseJson } from '../unknownJson.ts';
import type { Auth, Description } from './description.ts';

/**
 * Creates the function that presents a key to an API.
 * @param api.fetch Obtains tokens and presents nothing.
 * @param now The time in ms, for tokens and signatures of a short life.
 */
export function createPresent(
  auth: Auth,
  { apiKey: key, fetch }: Pick<Api, 'apiKey' | 'fetch'>,
  now: () => number,
): PresentKey {
  const inHeaders =
    (make: () => Record<string, string>): PresentKey =>
    async ({ url }) => ({ url, headers: make() });
  switch (auth.type) {
    case 'bearer':
      return inHeaders(() => ({ authorization: `Bearer ${key}` }));
    case 'basic':
      return inHeaders(() => ({ authorization: `Basic ${Buffer.from(key).toString('base64')}` }));
    case 'header':
      return inHeaders(() => ({
        [auth.name.toLowerCase()]: auth.value.replaceAll('{key}', () => key),
      }));
    case 'jwt':
      return inHeaders(() => ({
        authorization: `Bearer ${signedToken(key, auth.seconds, now())}`,
      }));
    case 'query':
      return async (request) => {
        const url = new URL(request.url);
        url.searchParams.set(auth.name, key);
        return { url: url.href, headers: {} };
      };
    case 'google-service-account':
      return loadOnUse(async () =>
        (await import('./googleToken.ts')).withGoogleToken(auth, key, { fetch, now }),
      );
    case 'aws-sigv4':
      return loadOnUse(async () => (await import('./awsSignature.ts')).signedByAws(auth, key, now));
    default:
      return inHeaders(() => ({}));
  }
}

/** Defers loading a library to the first request that needs it: most gateways need none. */
function loadOnUse(load: () => Promise<PresentKey>): PresentKey {
  let present: Promise<PresentKey> | undefined;
  return async (request) => (await (present ??= load()))(request);
}

/**
 * A `fetch` that presents the key and sends the headers of every request. A request whose key cannot be presented is
 * recorded as not sent.
 * @param newId Makes an id (UUID) for each `{uuid}` in a header.
 */
export function fetchWithKey(
  fetch: Api['fetch'],
  { headers }: Pick<Description, 'headers'>,
  present: PresentKey,
  newId: () => string,
): Api['fetch'] {
  return async (input, init = {}) => {
    const url = (input as URL | string).toString();
    const { method = 'GET', body } = init;
    // A rehearsal needs no token.
    holdBackInRehearsal(method, url, body);
    const all = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      all.set(
        name,
        value.replaceAll('{uuid}', () => newId()),
      );
    }
    for (const [name, value] of new Headers(init.headers)) all.set(name, value);
    const presented = await present({ method, url, headers: all, body }).catch((error: unknown) => {
      recordUnsent(method, url, error);
      throw error;
    });
    for (const [name, value] of Object.entries(presented.headers)) all.set(name, value);
    return fetch(presented.url, { ...init, headers: all });
  };
}

/** The form of a key, if an API takes no other. */
export function keyFormOf({ type }: Auth): { form: string; isOf(key: string): boolean } | null {
  switch (type) {
    case 'google-service-account':
      return { form: 'the JSON key of a Google service account', isOf: isServiceAccountKey };
    case 'aws-sigv4':
      return { form: 'access key id:secret access key', isOf: isPair };
    case 'jwt':
      return { form: 'access key:secret key', isOf: isPair };
    default:
      return null;
  }
}

const isPair = (key: string) => /^[^:]+:./.test(key);

/** Whether a string is the JSON of a service account's key, as the Google Cloud console hands it out. */
function isServiceAccountKey(text: string): boolean {
  const { client_email: email, private_key: privateKey } = fieldsOf(parseJson(text));
  if (typeof email !== 'string' || typeof privateKey !== 'string') return false;
  try {
    return createPrivateKey(privateKey).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function recordUnsent(method: string, url: string, error: unknown): void {
  currentCall()?.exchanges.push({
    method,
    host: URL.parse(url)?.host ?? '',
    isSent: false,
    status: null,
    body: null,
    failure: shortMessageOf(error),
    ...(error instanceof KeyRefusedError && { keyIsRefused: true }),
  });
}

/** Seconds by which a token may be used before it was made, for clocks that differ. */
const skewSeconds = 5;

/** A token (RFC 7519, HS256) that the key's id issues and its secret signs, as Kling documents it. */
function signedToken(key: string, seconds: number, nowMs: number): string {
  const [id = '', ...rest] = key.split(':');
  const at = Math.floor(nowMs / 1000);
  const claims = { iss: id, exp: at + seconds, nbf: at - skewSeconds };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', rest.join(':')).update(signed).digest('base64url');
  return `${signed}.${signature}`;
}
