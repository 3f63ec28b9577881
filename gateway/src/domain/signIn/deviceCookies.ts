import { createHmac } from 'node:crypto';
import { equalInConstantTime, firstSecret } from '../accounts/apiKey.ts';

/*
 * A browser that has signed in to an account keeps a device cookie (OWASP): a random name, and our signature over the
 * name and the account's address. It grants no access. It distinguishes the owner's browser from a stranger's when
 * failed sign-ins are counted, so a stranger's failures do not lock the owner out.
 */

/** Device cookies per browser, for the accounts that signed in most recently; one cookie of HTTP holds them all. */
const maxCookies = 4;

const signatureOf = (email: string, name: string, secret: string) =>
  createHmac('sha256', secret).update(`browser ${email} ${name}`).digest('base64url');

/**
 * The account's name for this browser; null if it never signed in there.
 * @param cookies The browser's device cookies, as returned by `addDeviceCookie`.
 * @param secrets The first makes, all verify.
 */
export function deviceNameOf(
  cookies: string,
  email: string,
  secrets: readonly { secret: string }[],
): string | null {
  for (const cookie of cookies.split('.').slice(0, maxCookies)) {
    const [name = '', signature = ''] = cookie.split('~');
    const isOurs = secrets.some(({ secret }) =>
      equalInConstantTime(signature, signatureOf(email, name, secret)),
    );
    if (isOurs) return name;
  }
  return null;
}

/** The browser's device cookies after an account has signed in, replacing that account's earlier one. */
export function addDeviceCookie(
  cookies: string,
  email: string,
  name: string,
  secrets: readonly { secret: string }[],
): string {
  const others = cookies
    .split('.')
    .filter((cookie) => cookie !== '' && deviceNameOf(cookie, email, secrets) === null);
  const cookie = `${name}~${signatureOf(email, name, firstSecret(secrets).secret)}`;
  return [cookie, ...others].slice(0, maxCookies).join('.');
}
