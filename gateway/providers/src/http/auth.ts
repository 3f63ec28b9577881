import { createHmac } from 'node:crypto';
import type { Auth, Description } from './description.ts';

type Fetch = typeof globalThis.fetch;

/** Presents a key to an API. */
export interface Credentials {
  headers(): Record<string, string>;
  /** An address with the key, where the key is part of it. */
  address(url: string): string;
}

/** @param now The time in ms, for tokens of a short life. */
export function createCredentials(auth: Auth, key: string, now: () => number): Credentials {
  return {
    headers() {
      switch (auth.type) {
        case 'bearer':
          return { authorization: `Bearer ${key}` };
        case 'basic':
          return { authorization: `Basic ${Buffer.from(key).toString('base64')}` };
        case 'header':
          return { [auth.name.toLowerCase()]: auth.value.replaceAll('{key}', () => key) };
        case 'jwt':
          return { authorization: `Bearer ${signedToken(key, auth.seconds, now())}` };
        default:
          return {};
      }
    },
    address(given) {
      if (auth.type !== 'query') return given;
      const url = new URL(given);
      url.searchParams.set(auth.name, key);
      return url.href;
    },
  };
}

/**
 * A `fetch` that presents the key and sends the headers of every request.
 * @param newId Makes an id (UUID) for each `{uuid}` in a header.
 */
export function authorised(
  fetch: Fetch,
  { headers }: Pick<Description, 'headers'>,
  credentials: Credentials,
  newId: () => string,
): Fetch {
  return async (input, init = {}) => {
    const own = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      own.set(
        name,
        value.replaceAll('{uuid}', () => newId()),
      );
    }
    for (const given of [credentials.headers(), init.headers]) {
      new Headers(given).forEach((value, name) => own.set(name, value));
    }
    return fetch(credentials.address((input as URL | string).toString()), {
      ...init,
      headers: own,
    });
  };
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
