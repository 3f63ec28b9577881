import type { Configuration } from 'openid-client';
import { dayMs, hourMs, type Log } from '@framegate/contract';
import { IdentityProviderDownError } from '../../application/ports/signOn.ts';
import type { Clock } from '../../application/ports/system.ts';

/** The provider's metadata, cached between sign-ins. */
export interface Discovery {
  /** @throws IdentityProviderDownError */
  find(): Promise<Configuration>;
  /** The cached metadata, without a request. */
  cachedConfiguration(): Configuration | null;
  downSince(): number | null;
}

/** Maximum age of metadata that is used without a request, in ms. */
const freshMs = hourMs;
/** Maximum age of metadata that is used while the provider does not respond, in ms. */
const cachedMs = dayMs;
/** Pause after a failure, in ms, during which pages need not wait for the provider. */
const pauseMs = 10_000;

/**
 * Caches a provider's metadata and keys. They are requested at a sign-in, so an unavailable provider delays nothing
 * else. Simultaneous sign-ins share one request.
 */
export function createDiscovery(
  discover: () => Promise<Configuration>,
  {
    issuer,
    clock,
    log,
  }: { issuer: string; clock: Pick<Clock, 'now'>; log: Pick<Log, 'warn' | 'info'> },
): Discovery {
  let cached: { configuration: Configuration; at: number } | null = null;
  let down: { since: number; lastAt: number } | null = null;
  let underWay: Promise<Configuration> | null = null;

  const ask = async (): Promise<Configuration> => {
    try {
      const configuration = await discover();
      if (down) log.info({ issuer }, 'sign-in provider responds again');
      cached = { configuration, at: clock.now() };
      down = null;
      return configuration;
    } catch (error) {
      const nowMs = clock.now();
      if (!down) {
        log.warn(
          { issuer, error, alert: 'sign_in_provider_down' },
          'sign-in provider does not respond',
        );
      }
      down = { since: down?.since ?? nowMs, lastAt: nowMs };
      throw new IdentityProviderDownError('the sign-in provider does not respond', {
        cause: error,
      });
    } finally {
      underWay = null;
    }
  };

  return {
    async find() {
      const nowMs = clock.now();
      const old = cached && nowMs - cached.at < cachedMs ? cached.configuration : null;
      if (cached && old && nowMs - cached.at < freshMs) return old;
      if (down && nowMs - down.lastAt < pauseMs) {
        if (old) return old;
        throw new IdentityProviderDownError('the sign-in provider did not respond a moment ago');
      }
      underWay ??= ask();
      try {
        return await underWay;
      } catch (error) {
        if (old) return old;
        throw error;
      }
    },
    cachedConfiguration: () => cached?.configuration ?? null,
    downSince: () => down?.since ?? null,
  };
}
