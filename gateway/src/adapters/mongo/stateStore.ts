import { repeatEvery } from '@framegate/limits';
import type { Clock, Log } from '../../application/ports/system.ts';
import type { StateStore } from '../../application/ports/upkeep.ts';
import { isVersionConflict, writeVersion } from './collections.ts';
import { retry } from './errors.ts';
import type { Codec } from './models/codec.ts';
import type { TypedCollection } from './models/statements.ts';

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
interface Known<State> {
  state: State;
  version: number;
  /** The reading during which this process last wrote it; Infinity while it is writing, 0 if it never did. */
  writtenIn: number;
}

/**
 * States in MongoDB, one small document per key. A reading does not replace a state written by this process since the
 * reading began, unless it found a newer one: an older state would call a provider that was just taken out of service.
 * @param of.initial The state of a key without a document; names the fields.
 * @param of.refreshMs Maximum age of a known state.
 * @param of.what Name of the states, for the log.
 */
export function createStateStore<Stored extends StoredState, State extends object>(
  of: {
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
  const { collection, codec, initial } = of;
  const names = Object.keys(initial) as (keyof State)[];
  let known = new Map<string, Known<State>>();
  let readings = 0;
  let refreshing: Promise<void> | null = null;

  /** The state and its version in a document. */
  function readState(document: Stored) {
    const stored = codec.fromStored(document);
    const state = Object.fromEntries(names.map((name) => [name, stored[name]])) as unknown as State;
    return { id: stored.id, version: stored.version, state };
  }

  async function loadAll(): Promise<void> {
    const reading = ++readings;
    const found = (await collection.find().toArray()).map(readState);
    const next = new Map(
      found.map(({ id, version, state }) => [id, { state, version, writtenIn: 0 }]),
    );
    for (const [id, own] of known) {
      const isOlder = (next.get(id)?.version ?? 0) < own.version;
      if (own.writtenIn >= reading && isOlder) next.set(id, own);
    }
    known = next;
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
    const document: Stored | null = await collection.findOne({ _id: key } as never);
    const stored = document && readState(document);
    const before = stored?.state ?? initial;
    const after = rule(before, clock.now());
    const version = stored?.version ?? 0;
    if (after === null) {
      if (stored !== null) known.set(key, { state: before, version, writtenIn: readings });
      return null;
    }
    const fields = codec.toFields(after as never);
    const written: Known<State> = { state: after, version: version + 1, writtenIn: Infinity };
    known.set(key, written);
    try {
      if (of.write) await of.write({ id: key, version, fields, from: before, to: after });
      else await writeVersion(collection, { id: key, before: version, fields });
    } finally {
      written.writtenIn = readings;
    }
    return after;
  }

  const stop = repeatEvery(of.refreshMs, refresh, (error) => {
    log.warn({ error }, `failed to read the ${of.what}`);
  });
  return {
    refresh,
    of: (key) => known.get(key)?.state ?? initial,
    isKnown: (key) => known.has(key),
    keys: () => [...known.keys()],
    change: (key, rule) =>
      retry(() => changeOnce(key, rule), { on: isVersionConflict, withinMs: changeWithinMs }),
    stop,
  };
}
