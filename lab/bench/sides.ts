import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../../test/support/freePort.ts';
import { type BenchWorld, type StartedServer, waitUntilItAnswers } from './benchWorld.ts';
import { type LoadRequest, videoShot } from './load.ts';
import type * as Prepare from './prepare.ts';

/** A server under load. The sides of one bench share a mongod; each has a database of its own. */
export interface Side extends StartedServer {
  label: string;
  /** Reads one of the items in turn. */
  read: () => LoadRequest;
  /** Creates an item of each of the 200 accounts in turn. */
  createOnAll: () => LoadRequest;
  /** Creates an item of the same account each time. */
  createOnOne: () => LoadRequest;
  /** Problems in the books after the load; 0 for a side without books. */
  countProblems: () => Promise<number>;
}

const accountCount = 200;

/** Cycles through the elements. */
function cycle<Element>(elements: readonly Element[]): () => Element {
  let turn = -1;
  return () => elements[(turn += 1) % elements.length] as Element;
}

/** Creates an item per account, so that there is something to read. @returns Their ids. */
async function createEach(origin: string, shots: readonly LoadRequest[]): Promise<string[]> {
  const ids: string[] = [];
  for (const shot of shots) {
    const response = await fetch(origin + shot.path, shot);
    const { id, _id } = (await response.json()) as { id?: string; _id?: string };
    ids.push(id ?? _id ?? '');
  }
  return ids;
}

/** Starts the bare server. */
export async function startBareSide({ uri, startScript }: BenchWorld): Promise<Side> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = startScript('bareServer.ts', uri, String(port));
  await waitUntilItAnswers(origin, child);
  const create = (account: string): LoadRequest => ({
    method: 'POST',
    path: `/items/${account}`,
    headers: {},
  });
  const shots = Array.from({ length: accountCount }, () => create(randomUUID()));
  const ids = cycle(await createEach(origin, shots));
  return {
    label: 'bare',
    origin,
    child,
    read: () => ({ method: 'GET', path: `/items/${ids()}`, headers: {} }),
    createOnAll: cycle(shots),
    createOnOne: () => shots[0] as LoadRequest,
    countProblems: () => Promise.resolve(0),
  };
}

/**
 * Starts the gateway of a working tree, with accounts that its own code has made.
 * @param tree A folder with its packages installed.
 */
export async function startGatewaySide(
  { uri, dataDir, startApi }: BenchWorld,
  label: string,
  tree: string,
): Promise<Side> {
  const env = {
    MONGODB_URI: uri.replace('/bench?', `/bench_${label}?`),
    DATA_DIR: join(dataDir, label),
    LOG_LEVEL: 'info',
  };
  const { prepareAccounts, countProblems } = (await import(
    join(tree, 'lab/bench/prepare.ts')
  )) as typeof Prepare;
  const accounts = await prepareAccounts(env, accountCount);
  const { origin, child } = await startApi(env, tree);
  const keys = accounts.map(({ apiKey }) => apiKey);
  const ids = await createEach(
    origin,
    keys.map((apiKey) => videoShot(apiKey)),
  );
  const reads = cycle(
    ids.map((id, index): LoadRequest => {
      const authorization = `Bearer ${keys[index] ?? ''}`;
      return { method: 'GET', path: `/v1/generations/${id}`, headers: { authorization } };
    }),
  );
  const nextKey = cycle(keys);
  return {
    label,
    origin,
    child,
    read: reads,
    createOnAll: () => videoShot(nextKey()),
    createOnOne: () => videoShot(keys[0] ?? ''),
    countProblems: () => countProblems(env),
  };
}
