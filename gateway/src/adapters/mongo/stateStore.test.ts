import { afterEach, expect, test } from '@jest/globals';
import { createStateStore, type RefreshedStates } from './stateStore.ts';

interface Light {
  isOn: boolean;
}
type Stored = Light & { _id: string; version: number };

/** A collection whose reads of all documents and whose writes wait until they are released. */
function heldCollection() {
  const documents = new Map<string, Stored>();
  const reads: (() => void)[] = [];
  const writes: (() => void)[] = [];
  const wait = (list: (() => void)[]) =>
    new Promise<void>((resolve) => {
      list.push(resolve);
    });
  return {
    documents,
    reads,
    writes,
    collection: {
      find: () => {
        const seen = [...documents.values()].map((each) => ({ ...each }));
        return { toArray: () => wait(reads).then(() => seen) };
      },
      findOne: async ({ _id }: { _id: string }) => documents.get(_id) ?? null,
    },
    write: async ({ id, version, to }: { id: string; version: number; to: Light }) => {
      await wait(writes);
      documents.set(id, { _id: id, version: version + 1, ...to });
    },
  };
}

const turnOn = () => ({ isOn: true });
let store: RefreshedStates<Light> | undefined;
afterEach(() => store?.stop());

function open() {
  const held = heldCollection();
  const codec = {
    fromStored: ({ _id, ...rest }: Stored) => ({ id: _id, ...rest }),
    toFields: (fields: Light) => fields,
  };
  const of = {
    collection: held.collection,
    codec,
    write: held.write,
    initial: { isOn: false },
    refreshMs: 1_000_000,
    what: 'lights',
  };
  const log = { debug: () => 0, info: () => 0, warn: () => 0, error: () => 0 };
  const given = [of, { now: () => 0 }, log] as unknown as Parameters<typeof createStateStore>;
  const lights = createStateStore(...given) as unknown as RefreshedStates<Light>;
  store = lights;
  return { ...held, lights };
}

/** Lets settled promises run their continuations. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test.each(['a', 'new'])(
  'a change of %s stands although a reading that began before it ends after it',
  async (key) => {
    const { lights, documents, reads, writes } = open();
    documents.set('a', { _id: 'a', version: 1, isOn: false });
    const reading = lights.refresh();
    const changed = lights.change(key, turnOn);
    await settle();
    writes.shift()?.();
    await changed;
    reads.shift()?.();
    await reading;
    expect(lights.get(key)).toEqual({ isOn: true });
  },
);

test.each(['a', 'new'])(
  'a change of %s stands although a reading begins and ends while it is written',
  async (key) => {
    const { lights, documents, reads, writes } = open();
    documents.set('a', { _id: 'a', version: 1, isOn: false });
    const changed = lights.change(key, turnOn);
    await settle();
    const reading = lights.refresh();
    reads.shift()?.();
    await reading;
    expect(lights.get(key)).toEqual({ isOn: true });
    writes.shift()?.();
    await changed;
    expect(lights.get(key)).toEqual({ isOn: true });
  },
);

test('later changes of other processes are read, and removed states are forgotten', async () => {
  const { lights, documents, reads, writes } = open();
  const changed = lights.change('a', turnOn);
  await settle();
  writes.shift()?.();
  await changed;
  documents.set('a', { _id: 'a', version: 2, isOn: false });
  const read = async () => {
    const reading = lights.refresh();
    reads.shift()?.();
    await reading;
  };
  await read();
  expect(lights.get('a')).toEqual({ isOn: false });
  documents.clear();
  await read();
  expect(lights.isKnown('a')).toBe(false);
});

test('a reading adopts a newer state that another process has written', async () => {
  const { lights, documents, reads, writes } = open();
  const changed = lights.change('a', turnOn);
  await settle();
  documents.set('a', { _id: 'a', version: 7, isOn: false });
  const reading = lights.refresh();
  reads.shift()?.();
  await reading;
  expect(lights.get('a')).toEqual({ isOn: false });
  writes.shift()?.();
  await changed;
});
