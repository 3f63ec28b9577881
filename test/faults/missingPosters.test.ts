import { beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { tidyGenerations } from '../../gateway/src/application/generations/end/tidyGenerations.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  accountOf,
  jobOf,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

const outputs = [{ read: async () => Buffer.from('picture') }];
const submit = async () => ({ kind: 'completed', outputs }) as const;
let asked: string[];
let hasPoster: boolean;
const opened = useWorkProcesses(1, {
  routes: routesOf({ image: [routeTo('images', { submit })] }),
  storeOutput: async () => ({
    mediaType: 'image/png',
    bytes: 1,
    sha256: 'x',
    measures: {},
    ...(hasPoster && { hasPoster: true as const }),
  }),
  posters: {
    types: ['image'],
    make: async (key) => {
      asked.push(key);
      return 'made';
    },
  },
});
let worker: WorkProcess;
beforeAll(() => {
  [worker] = opened() as [WorkProcess];
});

test.each([
  ['without a poster is due for it in two minutes, and gets it', false],
  ['with its poster is not due before its inputs', true],
])('a result %s', async (_, has) => {
  [asked, hasPoster] = [[], has];
  const id = `gen_${has ? 'with' : 'without'}`;
  const { clock, database } = worker.mongo;
  const nowMs = clock.now();
  await database.accounts.insert(accountOf('acct_1', nowMs, 1));
  const order = { model: 'image', type: 'image', step: 'ready' } as const;
  const parameters = { n: 1, output_format: 'png' } as never;
  await store(worker.mongo, [workGeneration(id, 'acct_1', nowMs, { ...order, parameters })]);
  await runGeneration(worker.deps, jobOf(id), new AbortController().signal);
  const ended = await database.generations.find(id);
  expect(ended?.status).toBe('completed');
  const dueMs = (ended?.tidyAt ?? 0) - (ended?.endedAt ?? 0);
  expect(dueMs === 2 * minuteMs).toBe(!has);
  const later = { ...clock, now: () => clock.now() + 3 * minuteMs };
  await tidyGenerations({ ...worker.deps, clock: later }, new AbortController().signal);
  const after = await database.generations.find(id);
  expect(asked).toEqual(has ? [] : [ended?.outputs[0]?.key]);
  expect(after?.outputs).toEqual([{ ...ended?.outputs[0], hasPoster: true }]);
});
