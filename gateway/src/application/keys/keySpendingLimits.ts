import { maxGrantCredits } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { type ApiKey, isLive } from '../../domain/accounts/apiKey.ts';
import { setMonthlyLimit } from '../../domain/credits/monthlyLimits.ts';
import { Refusal, refuseFields } from '../../domain/refusal.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';

/** Parses a typed limit: whole credits, at least 1; empty for none. @param field Name of the form's field. */
export function parseCredits(
  field: string,
  value: string,
): { credits: number | null; problem: Refusal | null } {
  const typed = value.trim();
  if (typed === '') return { credits: null, problem: null };
  const credits = /^\d{1,3}([ ,]\d{3})+$|^\d{1,12}$/.test(typed)
    ? Number(typed.replaceAll(/[ ,]/g, ''))
    : NaN;
  if (credits >= 1 && credits <= maxGrantCredits) return { credits, problem: null };
  return { credits: null, problem: new Refusal('credits_limit_invalid', { param: field }) };
}

/** Parses a typed daily limit. */
export function parseDailyCredits(value: string): {
  limit: Pick<ApiKey, 'dailyCredits'>;
  problem: Refusal | null;
} {
  const { credits, problem } = parseCredits('dailyCredits', value);
  return { limit: credits === null ? {} : { dailyCredits: credits }, problem };
}

/**
 * Changes a key's daily credit limit (UTC), from the next create. Credits spent today under a limit still count;
 * spending without a limit was not counted.
 * @throws Refusal
 */
export async function setKeyDailyLimit(
  deps: App,
  form: { accountId: string; keyId: string; dailyCredits: string },
): Promise<number | null> {
  const { limit, problem } = parseDailyCredits(form.dailyCredits);
  refuseFields(problem);
  await changeLiveKey(deps, form, (key) => {
    const limited = { ...key, ...limit };
    if (limit.dailyCredits === undefined) delete limited.dailyCredits;
    return limited;
  });
  return limit.dailyCredits ?? null;
}

/** Changes or removes a key's monthly limit (UTC), like `setKeyDailyLimit`. @throws Refusal */
export async function setKeyMonthlyLimit(
  deps: App,
  form: { accountId: string; keyId: string; monthlyCredits: string },
): Promise<number | null> {
  const { credits, problem } = parseCredits('monthlyCredits', form.monthlyCredits);
  refuseFields(problem);
  await changeLiveKey(deps, form, (key) => setMonthlyLimit(key, credits));
  return credits;
}

async function changeLiveKey(
  deps: Pick<App, 'database' | 'clock'>,
  { accountId, keyId }: { accountId: string; keyId: string },
  change: (key: ApiKey) => ApiKey,
): Promise<void> {
  await changeAccountById(deps.database, accountId, (account) => {
    const before = requireLiveKey(deps, account, keyId);
    const keys = account.keys.map((key) => (key === before ? change(before) : key));
    return { after: { ...account, keys } };
  });
}

/** The account's active key with this id. @throws Refusal */
export function requireLiveKey(
  { clock }: Pick<App, 'clock'>,
  account: Account,
  keyId: string,
): ApiKey {
  const key = account.keys.find(({ id }) => id === keyId);
  if (key && isLive(key, clock.now())) return key;
  throw new Refusal('key_revoked');
}
