import type { BreakerStore } from '../../application/ports/breakerStore.ts';
import type { Clock } from '../../application/ports/clock.ts';
import type { Log } from '../../application/ports/log.ts';
import { soundBreaker, type Breaker, type BreakerRule } from '../../domain/breaker.ts';
import type { Collections } from './collections.ts';
import { fromDocument, toFields } from './documents.ts';

/** How old what is known of breakers may be, in ms. */
const refreshMs = 2_000;
/** Writers of one breaker at one moment, over all processes. */
const triesAtMost = 20;

type StoredBreaker = Breaker & { id: string; version: number };

/** A breaker store that reads all breakers every few seconds. */
export interface RefreshedBreakers extends BreakerStore {
  refresh(): Promise<void>;
  stop(): void;
}

/** Breakers in MongoDB, one small document for each provider (design section 3). */
export function createBreakerStore(
  { breakers }: Pick<Collections, 'breakers'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
): RefreshedBreakers {
  let known = new Map<string, Breaker>();
  let refreshing: Promise<void> | null = null;

  async function readAll(): Promise<void> {
    const documents = await breakers.find().toArray();
    const found = documents.map((each) => fromDocument<StoredBreaker>(each));
    known = new Map(found.map((each) => [each.id, each]));
  }

  function refresh(): Promise<void> {
    refreshing ??= readAll().finally(() => (refreshing = null));
    return refreshing;
  }

  async function changeOnce(
    provider: string,
    rule: BreakerRule,
  ): Promise<Breaker | 'unchanged' | 'again'> {
    const document = await breakers.findOne({ _id: provider });
    const stored = document && fromDocument<StoredBreaker>(document);
    const version = stored?.version ?? 0;
    const { failures, closedOffAt, restsUntil, busyUntil } = stored ?? soundBreaker;
    const before = { failures, closedOffAt, restsUntil, busyUntil };
    const after = rule(before, clock.now());
    known.set(provider, after ?? before);
    if (after === null) return 'unchanged';
    const fields = { ...toFields(after), version: version + 1 };
    if (!stored) {
      const inserted = await breakers
        .updateOne({ _id: provider }, { $setOnInsert: fields }, { upsert: true })
        .catch(() => null);
      return inserted?.upsertedCount === 1 ? after : 'again';
    }
    const written = await breakers.updateOne({ _id: provider, version }, { $set: fields });
    return written.modifiedCount === 1 ? after : 'again';
  }

  const timer = setInterval(() => {
    refresh().catch((error: unknown) => {
      log.warn({ error }, 'breakers could not be read');
    });
  }, refreshMs);
  timer.unref();
  return {
    refresh,
    of: (provider) => known.get(provider) ?? soundBreaker,
    async change(provider, rule) {
      for (let attempt = 0; attempt < triesAtMost; attempt += 1) {
        const changed = await changeOnce(provider, rule);
        if (changed !== 'again') return changed === 'unchanged' ? null : changed;
      }
      throw new Error(`the breaker of ${provider} changes all the time`);
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
