import * as oidc from 'openid-client';
import { errorCodeOf, type Log } from '@framegate/contract';
import {
  IdentityProviderDownError,
  ResponseRefusedError,
  type SignOnProvider,
} from '../../application/ports/signOn.ts';
import type { Clock } from '../../application/ports/system.ts';
import {
  isForManyTenants,
  isOfTenant,
  type OidcClient,
  parseClaims,
} from '../../domain/signIn/signOn.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { fetchBounded } from './fetchBounded.ts';

/** The operator's client at the provider, and how it is used. */
interface ProviderSettings extends OidcClient {
  /** Whether groups are needed; they are then requested from the provider if the token has none. */
  needsGroups: boolean;
  /** Time limit of one request, in s; 5 by default. */
  timeoutSeconds?: number;
}

/** Tolerated deviation of the provider's clock, in s. */
const toleranceSeconds = 30;

/** An OpenID Connect provider through openid-client. Sends nothing before the first sign-in. */
export function createSignOnProvider(
  settings: ProviderSettings,
  { clock, log }: { clock: Pick<Clock, 'now'>; log: Pick<Log, 'warn' | 'info'> },
): SignOnProvider {
  const { issuer, clientId, clientSecret, scopes, groupsClaim, tenants, needsGroups } = settings;
  const { timeoutSeconds = 5 } = settings;
  const discover = async () => {
    const configuration = await oidc.discovery(
      new URL(issuer),
      clientId,
      {
        [oidc.clockTolerance]: toleranceSeconds,
        // Times of tokens are compared with the database's clock.
        [oidc.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
      },
      oidc.ClientSecretBasic(clientSecret),
      {
        timeout: timeoutSeconds,
        [oidc.customFetch]: fetchBounded,
        execute: [
          // Otherwise a token received from the provider over TLS counts as genuine without a signature.
          oidc.enableNonRepudiationChecks,
          // The settings allow http for an issuer on this machine only.
          // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked to stand out, not to go.
          ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );
    if (isForManyTenants(configuration.serverMetadata().issuer) && tenants.length === 0) {
      throw new Error('OIDC_ISSUER serves many tenants: list yours in OIDC_TENANTS');
    }
    return configuration;
  };
  const discovery: Discovery = createDiscovery(discover, { issuer, clock, log });

  return {
    async makeAuthorizationUrl({ state, nonce, verifier }, redirectUri) {
      const configuration = await discovery.find();
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async exchangeCode(returned, { state, nonce, verifier }) {
      const configuration = await discovery.find();
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, returned, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const tokenClaims: Record<string, unknown> = { ...tokens.claims() };
        if (!isOfTenant(tokenClaims, configuration.serverMetadata().issuer, tenants)) {
          throw new ResponseRefusedError('the token is of another tenant', false);
        }
        const lacks =
          tokenClaims['email'] === undefined ||
          (needsGroups && tokenClaims[groupsClaim] === undefined);
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
        if (lacks && hasMore) {
          const subject = String(tokenClaims['sub']);
          const more = await oidc.fetchUserInfo(configuration, tokens.access_token, subject);
          Object.assign(tokenClaims, more, { iss: tokenClaims['iss'], sub: tokenClaims['sub'] });
        }
        const claims = parseClaims(tokenClaims, groupsClaim);
        if (claims === null || tokens.id_token === undefined) {
          throw new ResponseRefusedError('the token names no one', false);
        }
        return { claims, idToken: tokens.id_token };
      } catch (error) {
        throw asOurs(error);
      }
    },

    endSessionUrl(idToken, returnTo) {
      const configuration = discovery.cachedConfiguration();
      if (configuration?.serverMetadata().end_session_endpoint === undefined) return null;
      return oidc.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(idToken !== null && { id_token_hint: idToken }),
      }).href;
    },

    downSince: () => discovery.downSince(),
  };
}

/** Codes of openid-client for a provider that is unreachable or does not respond in time. */
const silence = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Converts the error of a token exchange to the port's. */
function asOurs(error: unknown): unknown {
  if (error instanceof ResponseRefusedError) return error;
  if (error instanceof oidc.AuthorizationResponseError) {
    return new ResponseRefusedError(`the provider answered ${error.error.slice(0, 100)}`, true);
  }
  const { cause, message } = error as Error;
  const isSilent =
    silence.has(errorCodeOf(error) ?? '') || (error instanceof TypeError && cause !== undefined);
  const isBroken = error instanceof oidc.ResponseBodyError && error.status >= 500;
  if (isSilent || isBroken) return new IdentityProviderDownError(message, { cause: error });
  // Any other error means an untrustworthy response.
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return new ResponseRefusedError(reason.slice(0, 500), false, { cause: error });
}
