import { endKey } from '../../domain/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import { byKeyId } from './changeAccount.ts';
import { changeKeys } from './changeKeys.ts';

/** Ends a key for good; a key that is revoked already stays as it is. @returns when it was revoked. */
export async function revokeKey(
  { database, clock }: { database: Database; clock: Clock },
  keyId: string,
): Promise<number> {
  const now = clock.now();
  const after = await changeKeys({ database, clock }, byKeyId(database, keyId), {
    keys: ({ keys }) => keys.map((key) => (key.id === keyId ? endKey(key, now) : key)),
  });
  return after.keys.find((key) => key.id === keyId)?.revokedAt ?? now;
}
