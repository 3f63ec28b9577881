import { type ApiKey, isLive } from '../../domain/accounts/apiKey.ts';
import { isoTime, isoTimeOrNull } from '../../domain/time/isoTime.ts';

/** An API key as the operator API and the command line show it, without its id and its secret. */
export function presentKey(key: ApiKey, nowMs: number) {
  return {
    name: key.name,
    starts: key.prefix,
    ends: key.lastFour,
    works: isLive(key, nowMs),
    models: key.models,
    hosts: key.hosts.map(({ rule, state }) => ({ host: rule, state })),
    daily_credits: key.dailyCredits ?? null,
    monthly_credits: key.monthlyCredits ?? null,
    made_by: key.madeBy?.id ?? null,
    created_at: isoTime(key.createdAt),
    revoked_at: isoTimeOrNull(key.revokedAt),
  };
}
