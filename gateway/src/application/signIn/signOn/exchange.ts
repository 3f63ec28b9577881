import { minuteMs } from '@framegate/contract';
import { equalInConstantTime } from '../../../domain/accounts/apiKey.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Claims } from '../../../domain/signIn/signOn.ts';
import { newToken, tokenHash } from '../../../domain/signIn/token.ts';
import type { App } from '../../app.ts';
import {
  IdentityProviderDownError,
  ResponseRefusedError,
  type SignOn,
  type SignOnRequest,
} from '../../ports/signOn.ts';
import { countAttempt, type Origin } from '../attempts.ts';

type ExchangeDeps = Pick<App, 'signOn' | 'clock' | 'random' | 'log' | 'attempts'>;

/** Time limit for the person at the provider, in ms. */
export const signOnMs = 10 * minuteMs;

/** The configured provider. @throws Refusal if there is none. */
export function requireSignOn({ signOn }: Pick<ExchangeDeps, 'signOn'>): SignOn {
  if (signOn === null) throw new Refusal('sign_on_not_found');
  return signOn;
}

/** Begins a sign-on. @returns The provider's URL. @throws Refusal */
export async function beginSignOn(
  deps: ExchangeDeps,
  begun: Pick<SignOnRequest, 'purpose' | 'accountId' | 'next'> & {
    /** Value of the browser's cookie. */
    browser: string;
    redirectUri: string;
    from: Origin;
  },
): Promise<string> {
  const { provider, requests, name } = requireSignOn(deps);
  await countAttempt(deps, 'signOnAddress', begun.from.address);
  const secrets = {
    state: newToken(deps.random),
    nonce: newToken(deps.random),
    verifier: newToken(deps.random),
  };
  const url = await refuseTrouble(deps, name, () =>
    provider.makeAuthorizationUrl(secrets, begun.redirectUri),
  );
  await requests.insert({
    id: tokenHash(secrets.state),
    browser: tokenHash(begun.browser),
    nonce: secrets.nonce,
    verifier: secrets.verifier,
    purpose: begun.purpose,
    accountId: begun.accountId,
    next: begun.next,
    expiresAt: deps.clock.now() + signOnMs,
    usedAt: null,
  });
  return url;
}

/** A person named by the provider. */
export interface SignedOn {
  claims: Claims;
  idToken: string;
  request: SignOnRequest;
}

/**
 * Completes a sign-on when the browser returns. Each works once, in the browser that began it.
 * @param returned.purposes The purposes of this page.
 * @throws Refusal
 */
export async function finishSignOn(
  deps: ExchangeDeps,
  returned: { url: URL; browser: string; purposes: readonly SignOnRequest['purpose'][] },
): Promise<SignedOn> {
  const { provider, requests, name } = requireSignOn(deps);
  const state = returned.url.searchParams.get('state') ?? '';
  const request = await requests.take(tokenHash(state));
  if (
    request === null ||
    !equalInConstantTime(request.browser, tokenHash(returned.browser)) ||
    !returned.purposes.includes(request.purpose)
  ) {
    throw new Refusal('sign_on_expired');
  }
  const { nonce, verifier } = request;
  const { claims, idToken } = await refuseTrouble(deps, name, () =>
    provider.exchangeCode(returned.url, { state, nonce, verifier }),
  );
  return { claims, idToken, request };
}

/** Explains a problem at the provider to the person; the log states the reason. */
async function refuseTrouble<T>(
  { log }: Pick<ExchangeDeps, 'log'>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IdentityProviderDownError) {
      throw new Refusal('sign_on_down', { values: { name } });
    }
    if (!(error instanceof ResponseRefusedError)) throw error;
    log.warn({ reason: error.message }, 'rejected the response of the sign-in provider');
    if (error.isCancelled) throw new Refusal('sign_on_cancelled', { values: { name } });
    throw new Refusal('sign_on_unverifiable', { values: { name } });
  }
}
