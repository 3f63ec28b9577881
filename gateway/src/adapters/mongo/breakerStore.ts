import type { BreakerStore } from '../../application/ports/upkeep.ts';
import type { Clock, Log } from '../../application/ports/system.ts';
import { repeatEvery } from '../../application/ports/timing.ts';
import { soundBreaker, type Breaker, type BreakerRule } from '../../domain/breaker.ts';
import type { Collections } from './collections.ts';
import { fromDocument } from './documents.ts';
import { retry } from './retry.ts';
import { isVersionConflict, writeVersion } from './versions.ts';

/** How old what is known of breakers may be, in ms. */
const refreshMs = 2_000;
/** For how long a change is tried while other processes change the same breaker, in ms. */
const changeWithinMs = 2_000;

type StoredBreaker = Breaker & { id: string; version: number };

/** A breaker store that reads all breakers every few seconds. */
export interface RefreshedBreakers extends BreakerStore {
  refresh(): Promise<void>;
  stop(): void;
}

/** Breakers in MongoDB, one small document for each key: a provider, or a model of one. */
export function createBreakerStore(
  { breakers }: Pick<Collections, 'breakers'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
): RefreshedBreakers {
  let known = new Map<string, Breaker>();
  let refreshing: Promise<void> | null = null;

  async function loadAll(): Promise<void> {
    const documents = await breakers.find().toArray();
    const found = documents.map((each) => fromDocument<StoredBreaker>(each));
    known = new Map(found.map((each) => [each.id, each]));
  }

  function refresh(): Promise<void> {
    refreshing ??= loadAll().finally(() => (refreshing = null));
    return refreshing;
  }

  /** @throws VersionConflict */
  async function changeOnce(key: string, rule: BreakerRule): Promise<Breaker | null> {
    const document = await breakers.findOne({ _id: key });
    const stored = document && fromDocument<StoredBreaker>(document);
    const { failures, closedOffAt, restsUntil, busyUntil } = stored ?? soundBreaker;
    const before = { failures, closedOffAt, restsUntil, busyUntil };
    const after = rule(before, clock.now());
    if (stored !== null || after !== null) known.set(key, after ?? before);
    if (after === null) return null;
    await writeVersion(breakers, { id: key, before: stored?.version ?? 0, fields: after });
    return after;
  }

  const stop = repeatEvery(refreshMs, refresh, (error) => {
    log.warn({ error }, 'breakers could not be read');
  });
  return {
    refresh,
    of: (key) => known.get(key) ?? soundBreaker,
    isKnown: (key) => known.has(key),
    change: (key, rule) =>
      retry(() => changeOnce(key, rule), { on: isVersionConflict, withinMs: changeWithinMs }),
    stop,
  };
}
