import type { Log } from '@framegate/contract';
import { repeatEvery } from '@framegate/limits';
import type { Clock } from '../../application/ports/system.ts';
import type { StateStore } from '../../application/ports/upkeep.ts';
import { isVersionConflict, writeVersion } from './collections.ts';
import { retry } from './errors.ts';
import type { Codec } from './models/codec.ts';
import { byId, type TypedCollection } from './models/statements.ts';

/** How long to retry a change while other processes change the same state, in ms. */
const changeWithinMs = 2_000;

/** A state store that reads all its states every few seconds. */
export interface RefreshedStates<State> extends StateStore<State> {
  stop(): void;
}

/** A change of a state. */
export interface StateChange<Stored, State> {
  id: string;
  /** The version that was read; 0 without a document. */
  version: number;
  fields: Partial<Omit<Stored, '_id' | 'version'>>;
  from: State;
  to: State;
}

interface StoredState {
  _id: string;
  version: number;
}

/** A state as this process knows it. */
interface KnownState<State> {
  state: State;
  version: number;
  /** The reading during which this process last wrote it; Infinity while it is writing, 0 if it never did. */
  writtenIn: number;
}

/**
 * States in MongoDB, one small document per key. A reading does not replace a state written by this process since the
 * reading began, unless it found a newer one: an older state would call a provider that was just taken out of service.
 * @param kind.initial The state of a key without a document; names the fields.
 * @param kind.refreshMs Maximum age of a known state.
 * @param kind.what Name of the states, for the log.
 */
export function createStateStore<Stored extends StoredState, State extends object>(
  kind: {
    collection: TypedCollection<Stored>;
    codec: Codec<Stored, State & { id: string; version: number }>;
    initial: State;
    refreshMs: number;
    what: string;
    /** Writes a change under the version that was read; `writeVersion` if absent. @throws VersionConflictError */
    write?: (change: StateChange<Stored, State>) => Promise<void>;
  },
  clock: Pick<Clock, 'now'>,
  log: Log,
): RefreshedStates<State> {
  const { collection, codec, initial } = kind;
  const names = Object.keys(initial) as (keyof State)[];
  let states = new Map<string, KnownState<State>>();
  let readings = 0;
  let refreshing: Promise<void> | null = null;

  /** The state and its version in a document. */
  function parseState(document: Stored) {
    const parsed = codec.fromStored(document);
    const state = Object.fromEntries(names.map((name) => [name, parsed[name]])) as unknown as State;
    return { id: parsed.id, version: parsed.version, state };
  }

  async function loadAll(): Promise<void> {
    const reading = ++readings;
    const entries = (await collection.find().toArray()).map(parseState);
    const next = new Map(
      entries.map(({ id, version, state }) => [id, { state, version, writtenIn: 0 }]),
    );
    for (const [id, own] of states) {
      const isOlder = (next.get(id)?.version ?? 0) < own.version;
      if (own.writtenIn >= reading && isOlder) next.set(id, own);
    }
    states = next;
  }

  function refresh(): Promise<void> {
    refreshing ??= loadAll().finally(() => (refreshing = null));
    return refreshing;
  }

  /** @throws VersionConflictError */
  async function changeOnce(
    key: string,
    rule: (state: State, nowMs: number) => State | null,
  ): Promise<State | null> {
    const document: Stored | null = await collection.findOne(byId(key));
    const current = document && parseState(document);
    const before = current?.state ?? initial;
    const after = rule(before, clock.now());
    const version = current?.version ?? 0;
    if (after === null) {
      if (current !== null) states.set(key, { state: before, version, writtenIn: readings });
      return null;
    }
    const fields = codec.toFields(after as never);
    const next: KnownState<State> = { state: after, version: version + 1, writtenIn: Infinity };
    states.set(key, next);
    try {
      if (kind.write) await kind.write({ id: key, version, fields, from: before, to: after });
      else await writeVersion(collection, { id: key, before: version, fields });
    } finally {
      next.writtenIn = readings;
    }
    return after;
  }

  const stop = repeatEvery(kind.refreshMs, refresh, (error) => {
    log.warn({ error }, `failed to read the ${kind.what}`);
  });
  return {
    refresh,
    get: (key) => states.get(key)?.state ?? initial,
    isKnown: (key) => states.has(key),
    keys: () => [...states.keys()],
    change: (key, rule) =>
      retry(() => changeOnce(key, rule), { on: isVersionConflict, withinMs: changeWithinMs }),
    stop,
  };
}
