import { randomUUID } from 'node:crypto';
import { dayMs, hourMs } from '@framegate/contract';
import { connectMongo } from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { generationDocument } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import type { App } from '../../gateway/src/application/app.ts';
import { buildGeneration } from '../../gateway/src/application/generations/create/admitCreate.ts';
import {
  createUpkeep,
  type UpkeepTask,
  upkeepTasks,
} from '../../gateway/src/application/upkeep/upkeepTasks.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { appOn } from '../support/appOn.ts';
import { collectLog } from '../support/mongod.ts';
import { accountOf } from '../support/workWorld.ts';

const never = new AbortController().signal;

/** One process's connection and upkeep; a test opens one per process. */
export type UpkeepProcess = Awaited<ReturnType<typeof openUpkeepProcess>>;

/** Opens one process of upkeep on a database. @param more Replacements for parts that do nothing. */
export async function openUpkeepProcess(uri: string, more: Partial<App> = {}) {
  const { log, lines } = collectLog();
  const mongo = await connectMongo({
    uri,
    log,
    self: { id: randomUUID(), role: 'worker' },
  });
  await mongo.migrate();
  const { clock, database } = mongo;
  const random = createRandom(clock);
  const unused = () => {
    throw new Error('upkeep does not work on generations');
  };
  const deps = appOn(mongo, {
    log,
    recordLost: unused,
    recordCost: unused,
    recordDifferences: unused,
    takeInputs: unused,
    storeOutput: unused,
    inputUrl: unused,
    promptsKeptMs: 30 * dayMs,
    ...more,
  });
  const upkeep = createUpkeep(deps);
  return {
    mongo,
    deps,
    upkeep,
    lines,
    /** One round of a task in all its shards. */
    async round(task: UpkeepTask, signal: AbortSignal = never): Promise<void> {
      const count = upkeepTasks[task];
      for (let index = 0; index < count; index += 1) {
        await upkeep.runRound(task, { index, count }, signal);
      }
    },
    /** Makes an account; `more` are its fields. */
    async addAccount(options: object = {}): Promise<string> {
      const id = random.newId('acct');
      await database.accounts.insert({ ...accountOf(id, clock.now()), lots: [], ...options });
      return id;
    },
    /** Makes this many generations, without jobs. @returns Their ids. */
    async addGenerations(
      count: number,
      accountId: string,
      ofIndex: (index: number) => Partial<Generation>,
    ): Promise<string[]> {
      const made = Array.from({ length: count }, (_, index) => ({
        ...newGeneration(random.newId('gen'), accountId, clock.now()),
        ...ofIndex(index),
      }));
      await mongo.collections.generations.insertMany(made.map(generationDocument));
      return made.map(({ id }) => id);
    },
    close: () => mongo.close(),
  };
}

function newGeneration(id: string, accountId: string, nowMs: number): Generation {
  const origin = { id, accountId, channel: 'api', keyId: null, requestId: 'req_1' } as const;
  const parameters = {
    duration_seconds: 5,
    resolution: '720p',
    aspect_ratio: '16:9',
    generate_audio: false,
    seed: 1,
    real_person_mode: false,
  } as Generation['parameters'];
  return buildGeneration(
    { ...origin, callerAddress: '127.0.0.1' },
    {
      type: 'video',
      model: 'alpha-2.0-mini',
      mode: 'text-to-video',
      prompt: 'a boat',
      inputs: [],
      parameters,
      consentReference: null,
      costCredits: 30,
      catalogueVersion: 1,
      priceGroup: null,
    },
    { canRun: true, movements: [] },
    nowMs,
    6 * hourMs,
  );
}

/** An ended generation with one output whose retention ended `overMs` ago. */
export const overdue = (nowMs: number, overMs: number): Partial<Generation> => ({
  step: 'ended',
  status: 'completed',
  createdAt: nowMs - 8 * dayMs,
  endedAt: nowMs - 8 * dayMs,
  outputsRemoveAt: nowMs - dayMs,
  tidyAt: nowMs - overMs,
  outputs: [
    { key: 'outputs/x/0.mp4', extension: 'mp4', mediaType: 'video/mp4', bytes: 1, sha256: 'x' },
  ],
});
