import type { Clock } from '../../application/ports/clock.ts';
import type { Log } from '../../application/ports/log.ts';
import type { KeyUseStore } from '../../application/site/ports.ts';
import type { Collections } from './collections.ts';
import { fromDocument } from './documents.ts';

/** A key's use is written at most this often, in ms. */
const notedEveryMs = 60_000;
const rememberedAtMost = 10_000;

/**
 * When keys were last used, in documents of their own: a request must not change its account's. A use
 * that cannot be written is lost, which costs nobody anything.
 */
export function createKeyUseStore(
  { keyUses }: Pick<Collections, 'keyUses'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
): KeyUseStore {
  const noted = new Map<string, number>();
  return {
    note(keyId) {
      const now = clock.now();
      if ((noted.get(keyId) ?? 0) > now - notedEveryMs) return;
      if (noted.size >= rememberedAtMost) noted.clear();
      noted.set(keyId, now);
      keyUses
        .updateOne({ _id: keyId }, [{ $set: { usedAt: '$$NOW' } }], { upsert: true })
        .catch((error: unknown) => {
          noted.delete(keyId);
          log.debug({ error, keyId }, 'the use of a key could not be noted');
        });
    },
    async find(keyIds) {
      const found = await keyUses.find({ _id: { $in: [...keyIds] } }).toArray();
      return new Map(
        found.map((document) => {
          const { id, usedAt } = fromDocument<{ id: string; usedAt: number }>(document);
          return [id, usedAt];
        }),
      );
    },
  };
}
