import { type Log, minuteMs } from '@framegate/contract';
import { setWithin } from '@framegate/limits';
import type { KeyUseStore } from '../../../application/ports/site.ts';
import type { Clock } from '../../../application/ports/system.ts';
import type { Models } from '../collections.ts';

/** Minimum time between writes of a key's use, in ms. */
const notedEveryMs = minuteMs;
/** Maximum number of keys whose last recorded use is remembered. */
const maxKeysRemembered = 10_000;

/**
 * Times of keys' last uses, in separate documents, so that a request does not change its account's. A use that cannot
 * be written is lost, which is harmless.
 */
export function createKeyUseStore(
  { keyUses }: Pick<Models, 'keyUses'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
): KeyUseStore {
  const recordedAt = new Map<string, number>();
  return {
    record(keyId, address) {
      const nowMs = clock.now();
      if ((recordedAt.get(keyId) ?? 0) > nowMs - notedEveryMs) return;
      setWithin(recordedAt, keyId, nowMs, maxKeysRemembered);
      keyUses
        .updateOne(
          { _id: keyId },
          [{ $set: { usedAt: '$$NOW', address: { $literal: address } } }],
          {
            upsert: true,
            updatePipeline: true,
          },
        )
        .then(undefined, (error: unknown) => {
          recordedAt.delete(keyId);
          log.debug({ error, keyId }, 'failed to record the use of a key');
        });
    },
    async find(keyIds) {
      if (keyIds.length === 0) return new Map();
      const documents = await keyUses.collection.find({ _id: { $in: [...keyIds] } }).toArray();
      return new Map(
        documents.map(({ _id, usedAt, address }) => [_id, { at: usedAt.getTime(), address }]),
      );
    },
  };
}
