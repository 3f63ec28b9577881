import { isLive, type Account, type ApiKey } from '../../domain/account.ts';
import { FormProblem } from './formProblem.ts';
import type { SiteDeps } from './siteDeps.ts';

/** A key of the account that still works. @throws FormProblem */
export function requireLiveKey(
  { clock }: Pick<SiteDeps, 'clock'>,
  account: Account,
  keyId: string,
): ApiKey {
  const key = account.keys.find(({ id }) => id === keyId);
  if (key && isLive(key, clock.now())) return key;
  throw new FormProblem({}, 'This key has been revoked: make a new one.');
}
