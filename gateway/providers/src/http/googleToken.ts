import { JWT } from 'google-auth-library';
import { hourMs, minuteMs } from '@framegate/contract';
import { type Exchange, recordCall } from '../exchanges.ts';
import { type Api, KeyRefusedError, type PresentKey } from '../ownRequests.ts';
import { fieldsOf, parseJson } from '../unknownJson.ts';
import type { Auth } from './description.ts';

type GoogleAuth = Extract<Auth, { type: 'google-service-account' }>;

/** How long a token is kept at most, and how long before its end it is replaced, in ms. */
const maxKeptMs = hourMs;
const spareMs = 5 * minuteMs;
/** Time limit of a request for a token, in ms. */
const tokenMs = 10_000;

/**
 * Presents the access token of a Google service account. A token is requested once for all requests that need it and
 * kept until shortly before its end.
 * @param key The JSON of the account's key.
 * @param options.fetch Presents no key.
 * @param options.now The time in ms.
 */
export function withGoogleToken(
  { scopes }: GoogleAuth,
  key: string,
  { fetch, now }: Pick<Api, 'fetch'> & { now: () => number },
): PresentKey {
  let cached = { token: '', untilMs: 0 };
  let requested: Promise<void> | null = null;

  async function requestToken(): Promise<void> {
    const { email, privateKey } = accountIn(key);
    const client = new JWT({
      email,
      key: privateKey,
      scopes: [...scopes],
      transporterOptions: {
        fetchImplementation: (url, init) =>
          fetch(url, { ...init, signal: AbortSignal.timeout(tokenMs) }),
        retryConfig: { retry: 0, noResponseRetries: 0 },
      },
    });
    const askedMs = Date.now();
    // Its own record: the call that waits for the token has sent nothing.
    const call = await recordCall('submit', () => client.authorize());
    const { access_token: token, expiry_date: endMs } = call.ok ? call.value : {};
    if (!token) throw failureOf(call.exchanges.at(-1));
    const livesMs = Math.min((endMs ?? 0) - askedMs, maxKeptMs);
    cached = { token, untilMs: now() + livesMs - spareMs };
  }

  return async ({ url }) => {
    if (cached.untilMs <= now()) {
      await (requested ??= requestToken().finally(() => (requested = null)));
    }
    return { url, headers: { authorization: `Bearer ${cached.token}` } };
  };
}

/** Statuses with which Google refuses the key itself. */
const keyRefusalStatuses: readonly (number | null)[] = [400, 401, 403];

function failureOf(last: Exchange | undefined): Error {
  const { error, error_description: words } = fieldsOf(parseJson(last?.body ?? ''));
  const reason = [error, words].filter((part) => typeof part === 'string').join(', ');
  const message = `no access token: ${reason || (last?.failure ?? `status ${String(last?.status)}`)}`;
  return keyRefusalStatuses.includes(last?.status ?? null)
    ? new KeyRefusedError(message)
    : new Error(message);
}

function accountIn(key: string): { email: string; privateKey: string } {
  const { client_email: email, private_key: privateKey } = fieldsOf(parseJson(key));
  return { email: String(email), privateKey: String(privateKey) };
}
