import type { Log } from '@framegate/contract';
import type { VersionedSecret } from '../../domain/accounts/apiKey.ts';
import type { CustomerFactor, CustomerFactorStore } from '../ports/site.ts';
import type { Totp } from '../ports/staff.ts';
import type { Clock } from '../ports/system.ts';
import { type Purpose, seal, unseal } from '../secretBox.ts';

/** The purposes of sealed second factors. */
export const staffFactorPurpose = 'staff second factor';
export const customerFactorPurpose = 'customer second factor';

/**
 * Accepts a code of an authenticator app, once. Reseals the secret under the first of SESSION_KEYS each time, so that
 * older keys can eventually be removed.
 * @returns False for a code that is not currently valid.
 */
export async function takeFactorCode(
  deps: Pick<CustomerFactorStore, 'useStep'> & {
    totp: Totp;
    clock: Pick<Clock, 'now'>;
    log: Pick<Log, 'warn'>;
    sessionKeys: readonly VersionedSecret[];
  },
  factor: Pick<CustomerFactor, 'id' | 'secret' | 'lastStep'> & { purpose: Purpose },
  typed: string,
): Promise<boolean> {
  const { id, purpose, lastStep } = factor;
  const secret = unseal(factor.secret, id, deps.sessionKeys, purpose);
  if (secret === null) {
    deps.log.warn(
      { accountId: id, purpose },
      'failed to decrypt a second factor with SESSION_KEYS',
    );
    return false;
  }
  const step = deps.totp.check(secret, typed, deps.clock.now(), lastStep);
  return step !== null && deps.useStep(factor, step, seal(secret, id, deps.sessionKeys, purpose));
}
