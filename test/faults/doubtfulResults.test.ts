import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { TransferError } from '@framegate/limits';
import { InvalidOutputError, ReaderError } from '@framegate/media/errors';
import type { PollResult } from '@framegate/provider-routes';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { createPoller } from '../../gateway/src/application/generations/run/pollDue.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { createMemoryMedia } from '../support/memoryMedia.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  acceptedBy,
  accountOf,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

/* When the gateway gives up a provider's finished result: the observations of successive polls, and the outcome. */

const id = 'gen_01k00000000000000000000000';
const accountId = 'acct_01k00000000000000000000000';
const media = createMemoryMedia();
const never = new AbortController().signal;

/** The finding of a poll, by a word: a file of these bytes, or something else. */
type Seen = string;
const faults: Readonly<Record<Seen, () => Error>> = {
  text: () => new InvalidOutputError('a text in place of a file', null),
  nothing: () => new InvalidOutputError('an empty file', null),
  'a part': () => new TransferError('unreachable', '3 of 9 bytes'),
  '503': () => new TransferError('unreachable', 'status 503'),
  'a killed reader': () => new ReaderError('ended its reader by SIGKILL'),
  'no store': () => new Error('the bucket is away'),
};
const polls: Readonly<Record<Seen, PollResult>> = {
  'works on': { kind: 'fault', note: 'status 500', isFinished: false },
  'status 503': { kind: 'fault', note: 'status 503' },
  'without a result': { kind: 'fault', note: 'finished without a file', isFinished: true },
  'without a reason': {
    kind: 'fault',
    note: 'refused: flagged',
    isFinished: true,
    code: 'output_rejected',
  },
};

let seen: Seen;
let worker: WorkProcess;
/** The URLs that were read: each poll gives another one. */
let addresses: Set<string>;
let looked: number;

/** Takes a file whose text is `whole`. */
const storeOutput: AppCore['storeOutput'] = async (_key, output, _wanted, signal) => {
  const text = Buffer.from((await output.read(signal)) as Uint8Array).toString();
  const fault = faults[text]?.();
  if (fault) throw fault;
  if (text === 'small') {
    return { mediaType: 'video/mp4', bytes: 1, sha256: 'x', measures: { width: 8, height: 6 } };
  }
  if (text !== 'whole') throw new InvalidOutputError('cut short', { bytes: 3, sha256: text });
  return { mediaType: 'video/mp4', bytes: 1, sha256: 'x', measures: {} };
};
const poll = async (): Promise<PollResult> => {
  looked += 1;
  const pollAt = looked;
  const read = async () => {
    addresses.add(`https://files.example/${String(pollAt)}`);
    return Buffer.from(seen);
  };
  return polls[seen] ?? { kind: 'completed', outputs: [{ host: 'files.example', read }] };
};
const delivery = {
  sizesOf: () => ({ sizes: [{ width: 1280, height: 720 }], ratioFrom: 'order' as const }),
  rule: 'refund' as const,
};
const opened = useWorkProcesses(1, {
  routes: routesOf({ video: [routeTo('videos', { poll, delivery })] }),
  media: media.store,
  storeOutput,
  refusedKeptMs: 24 * 3600_000,
});
beforeAll(() => {
  [worker] = opened();
});
beforeEach(async () => {
  media.files.clear();
  [addresses, looked] = [new Set(), 0];
  await worker.mongo.database.accounts.insert(accountOf(accountId, worker.mongo.clock.now(), 1));
});

const find = async () => (await worker.mongo.database.generations.find(id)) as Generation;

async function start(deadlineInMs = 3600_000): Promise<void> {
  const nowMs = worker.mongo.clock.now();
  const more = { step: 'submitted', status: 'processing', startedAt: nowMs, dueAt: nowMs } as const;
  const fields = { ...more, model: 'video', attempts: [acceptedBy('videos', nowMs)] };
  const deadlineAt = nowMs + deadlineInMs;
  await store(worker.mongo, [workGeneration(id, accountId, nowMs, { ...fields, deadlineAt })]);
}

/** One poll that finds this, this many ms after the start. */
async function pollAt(found: Seen, atMs: number): Promise<void> {
  seen = found;
  await worker.mongo.collections.generations.updateOne(
    { _id: id, step: 'submitted' },
    { $set: { dueAt: new Date(0), leaseUntil: new Date(0) } },
  );
  const clock = { ...worker.deps.clock, now: () => worker.mongo.clock.now() + atMs };
  const poller = createPoller({ ...worker.deps, clock }, never);
  await poller.pollDue(never);
  await poller.drain();
}

/** Polls that find these, 25 s after each other. @returns How the generation stands. */
async function afterPolls(all: readonly Seen[], everyMs = 25_000): Promise<string> {
  for (const [index, found] of all.entries()) await pollAt(found, index * everyMs);
  const { status, attempts, failure } = await find();
  return [status, failure?.code, attempts.at(-1)?.lost?.reason].filter(Boolean).join(' ');
}

const twice: Seen[] = ['without a result', 'without a result'];
const invalid = 'failed generation_failed invalid_output';

test.each<[string, Seen[], string]>([
  ['half a file, then the whole one', ['half', 'whole'], 'completed'],
  ['nothing, then the whole one', ['nothing', 'whole'], 'completed'],
  ['a text again and again', ['text', 'text', 'text', 'text', 'text'], 'processing'],
  ['a part, and then an end', ['a part', 'a part', '503', '503', '503'], 'processing'],
  ['a reader that is killed each time', Array<Seen>(5).fill('a killed reader'), 'processing'],
  ['the same bytes over a minute', ['half', 'half', 'half', 'half'], invalid],
  ['other bytes each time', ['a', 'b', 'c', 'd', 'e', 'f'], 'processing'],
  ['two kinds in turn', ['a', 'b', 'a', 'b', 'a', 'b'], 'processing'],
  ['the same, with a text in between', ['half', 'half', 'text', 'half', 'half'], 'processing'],
  ['the same, with a part in between', ['half', 'half', 'a part', 'half', 'half'], 'processing'],
  ['the same, with trouble of our own', ['half', 'no store', 'half', 'half'], invalid],
  ['the same, with a poll that fails', ['half', 'status 503', 'half', 'half'], invalid],
  ['a small film', ['small', 'small', 'small', 'small'], 'failed generation_failed not_as_ordered'],
  ['a small film, then the whole one', ['small', 'small', 'whole'], 'completed'],
  ['no result', Array<Seen>(4).fill('without a result'), 'failed generation_failed no_result'],
  ['a reason without a result', Array<Seen>(4).fill('without a reason'), 'failed output_rejected'],
  ['no result yet', ['without a result', 'without a result', 'whole'], 'completed'],
  ['no result of work that goes on', [...twice, 'works on', ...twice], 'processing'],
])('a result that shows %s', async (_, all, end) => {
  await start();
  expect(await afterPolls(all)).toBe(end);
  // Each reading follows a new poll.
  if (end === 'completed') expect(addresses.size).toBeGreaterThan(0);
});

test('bytes are bad after three readings and a minute, then refunded and kept once', async () => {
  await start();
  expect(await afterPolls(['half', 'half', 'half'], 27_000)).toBe('processing');
  expect(addresses.size).toBe(3);
  expect(media.files.size).toBe(0);
  await pollAt('half', minuteMs);
  const end = await find();
  expect(end).toMatchObject({
    status: 'failed',
    failure: { code: 'generation_failed' },
    refundedCredits: 30,
    attempts: [{ lost: { reason: 'invalid_output' }, refused: { files: [{}] } }],
  });
  expect([...media.files.values()]).toEqual(['half']);
  await pollAt('half', 90_000);
  expect(await find()).toEqual(end);
  expect(worker.heard.lost).toEqual([{ provider: 'videos', reason: 'invalid_output' }]);
});

test('two readings prove nothing, however far apart', async () => {
  await start();
  expect(await afterPolls(['half', 'half'], 600_000)).toBe('processing');
});

test('other bytes each time are refused at the end of the grace, and kept', async () => {
  const { deadlineGraceMs } = defaultTimings;
  await start(-deadlineGraceMs / 2);
  expect(await afterPolls(['a', 'b', 'c'], 1_000)).toBe('processing');
  const over = new Date(Date.now() - deadlineGraceMs);
  await worker.mongo.collections.generations.updateOne({ _id: id }, { $set: { deadlineAt: over } });
  expect(await afterPolls(['d'])).toBe(invalid);
  expect([...media.files.values()]).toEqual(['d']);
});

test('a text response until the end of the grace is a loss, not a verdict on the file', async () => {
  await start(-defaultTimings.deadlineGraceMs);
  expect(await afterPolls(['text'])).toBe('failed generation_timeout not_stored');
});
