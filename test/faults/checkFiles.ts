import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, hourMs } from '@framegate/contract';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import {
  inputsKeptMs,
  tidyGenerations,
} from '../../gateway/src/application/generations/end/tidyGenerations.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import type { FaultWorld } from './faultWorld.ts';

const ignore = () => undefined;

/**
 * Compares the files in the store with the generations, all of which have ended: after tidying up as a day later, the
 * store must contain exactly the outputs of completed ones.
 */
export async function checkFiles({ mongo, files }: FaultWorld): Promise<string[]> {
  const { clock, collections } = mongo;
  const later = {
    now: () => clock.now() + inputsKeptMs + hourMs,
    skewMs: () => 0,
    wrongClock: () => null,
  };
  const kept = { outputsKeptMs: 7 * dayMs, promptsKeptMs: 30 * dayMs };
  const upkeep = createUpkeepStore(collections, clock);
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const posters = { types: [], make: async () => 'impossible' as const };
  const { database } = mongo;
  const own = { timings: defaultTimings, clock: later, media: files.store, posters };
  const deps = { database, upkeep, log, ...own, ...kept };
  await tidyGenerations(deps, new AbortController().signal);
  const wrong: string[] = [];
  for (const kind of ['inputs', 'arrived']) {
    for (const id of await namesIn(join(files.folder, kind))) {
      wrong.push(`${id}: ${kind} of no generation stay for ever`);
    }
  }
  const left = new Set(await namesIn(join(files.folder, 'outputs')));
  const completed = await collections.generations
    .find({ status: 'completed' }, { projection: { _id: 1 } })
    .toArray();
  for (const { _id } of completed) {
    if (!left.delete(_id)) wrong.push(`${_id}: is completed and has no files`);
  }
  for (const id of left) wrong.push(`${id}: outputs of no generation stay for ever`);
  return wrong;
}

const namesIn = (folder: string) => readdir(folder).catch(() => []);
