import type { mongo } from 'mongoose';
import { repeatEvery } from '../../application/ports/concurrency.ts';
import type { Clock, Log } from '../../application/ports/system.ts';
import type { StateStore } from '../../application/ports/upkeep.ts';
import {
  fromDocument,
  isVersionConflict,
  writeVersion,
  type StoredDocument,
} from './collections.ts';
import { retry } from './errors.ts';

/** For how long a change is tried while other processes change the same state, in ms. */
const changeWithinMs = 2_000;

/** A state store that reads all of its states every few seconds. */
export interface RefreshedStates<State> extends StateStore<State> {
  stop(): void;
}

/**
 * States in MongoDB, one small document for each key.
 * @param of.initial The state of a key without a document; names the fields.
 * @param of.refreshMs How old a known state may be.
 * @param of.what The states' name in the log.
 */
export function createStateStore<State extends object>(
  of: {
    collection: mongo.Collection<StoredDocument>;
    initial: State;
    refreshMs: number;
    what: string;
  },
  clock: Pick<Clock, 'now'>,
  log: Log,
): RefreshedStates<State> {
  const { collection, initial } = of;
  const fields = Object.keys(initial);
  let known = new Map<string, State>();
  let refreshing: Promise<void> | null = null;

  /** The state and its version in a document. */
  function readState(document: StoredDocument) {
    const { id, version, ...rest } = fromDocument<{ id: string; version: number }>(document);
    const state = Object.entries(rest).filter(([name]) => fields.includes(name));
    return { id, version, state: Object.fromEntries(state) as unknown as State };
  }

  async function loadAll(): Promise<void> {
    const found = (await collection.find().toArray()).map(readState);
    known = new Map(found.map(({ id, state }) => [id, state]));
  }

  function refresh(): Promise<void> {
    refreshing ??= loadAll().finally(() => (refreshing = null));
    return refreshing;
  }

  /** @throws VersionConflict */
  async function changeOnce(
    key: string,
    rule: (state: State, nowMs: number) => State | null,
  ): Promise<State | null> {
    const document = await collection.findOne({ _id: key });
    const stored = document && readState(document);
    const before = stored?.state ?? initial;
    const after = rule(before, clock.now());
    if (stored !== null || after !== null) known.set(key, after ?? before);
    if (after === null) return null;
    await writeVersion(collection, { id: key, before: stored?.version ?? 0, fields: after });
    return after;
  }

  const stop = repeatEvery(of.refreshMs, refresh, (error) => {
    log.warn({ error }, `${of.what} could not be read`);
  });
  return {
    refresh,
    of: (key) => known.get(key) ?? initial,
    isKnown: (key) => known.has(key),
    keys: () => [...known.keys()],
    change: (key, rule) =>
      retry(() => changeOnce(key, rule), { on: isVersionConflict, withinMs: changeWithinMs }),
    stop,
  };
}
