import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { createMailStore } from '../../gateway/src/adapters/mongo/mails/mailStore.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import {
  createMailQueue,
  nextMailAttempt,
  sendDueMails,
} from '../../gateway/src/application/mails/mailQueue.ts';
import type { DeliverMail } from '../../gateway/src/application/ports/mails.ts';
import { takeTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';

const database = takeTestDatabase();
const { log, lines } = collectLog();
const sessionKeys = [{ version: '1', secret: 's'.repeat(32) }];
let mongo: MongoConnection;
let nowMs: number;

beforeAll(async () => {
  const self = { id: 'mails', role: 'worker' } as const;
  mongo = await connectMongo({ uri: database.uri, log, self });
  await mongo.migrate();
  nowMs = mongo.clock.now();
});
afterEach(async () => {
  await mongo.collections.mails.deleteMany({});
  lines.length = 0;
});
afterAll(async () => {
  await mongo.close();
  await database.drop();
});

const clock = { now: () => nowMs };
const code = '1234 5678';

/** An email with a code that works for an hour. */
async function enqueue(to = 'ada@example.com') {
  const mails = createMailStore(mongo.models);
  const put = createMailQueue({
    mails,
    clock: { ...mongo.clock, ...clock },
    random: createRandom(mongo.clock),
    sessionKeys,
  });
  const mail = {
    to,
    subject: 'Your code',
    text: `Your code is ${code}`,
    html: `<b>${code}</b>`,
    link: 'https://a.example',
  };
  await put({ ...mail, validMs: hourMs });
}

/** One round of the job. @returns The counted outcomes. */
async function round(deliver: DeliverMail): Promise<string[]> {
  const outcomes: string[] = [];
  await sendDueMails(
    {
      mails: createMailStore(mongo.models),
      deliver,
      clock,
      log,
      sessionKeys,
      random: { fraction: () => 0.5 },
      recordMail: (outcome) => void outcomes.push(outcome),
    },
    new AbortController().signal,
  );
  return outcomes;
}

const stored = () => mongo.collections.mails.find().toArray();
const busy: DeliverMail = async () => ({ ok: false, isFinal: false, problem: 'ESOCKET' });

test('an email is sent with its text, and no part of it is kept', async () => {
  await enqueue();
  expect(JSON.stringify(await stored())).not.toContain(code);
  const sent: unknown[] = [];
  const deliver: DeliverMail = async ({ text, html }) => {
    sent.push([text, html]);
    return { ok: true };
  };
  expect(await round(deliver)).toEqual(['sent']);
  expect(sent).toEqual([[`Your code is ${code}`, `<b>${code}</b>`]]);
  expect(await stored()).toEqual([]);
});

test('an email that the server does not accept is sent later', async () => {
  await enqueue();
  expect(await round(busy)).toEqual(['failed']);
  expect(await round(busy)).toEqual([]);
  const [{ problem, attempts } = {}] = await createMailStore(mongo.models).findUndelivered(5);
  expect([problem, attempts]).toEqual(['ESOCKET', 1]);
  nowMs += 10_000;
  expect(await round(async () => ({ ok: true }))).toEqual(['sent']);
  expect(await stored()).toEqual([]);
});

test('an email with an expired code, or one refused permanently, is given up without its text', async () => {
  await enqueue('late@example.com');
  nowMs += hourMs;
  const deliver: DeliverMail = () => Promise.reject(new Error('must not be sent'));
  expect(await round(deliver)).toEqual(['given_up']);
  await enqueue('gone@example.com');
  const refusal = { ok: false as const, isFinal: true, problem: 'EENVELOPE 550' };
  expect(await round(async () => refusal)).toEqual(['given_up']);
  const left = await stored();
  expect(left.map(({ to }) => to).toSorted()).toEqual(['gone@example.com', 'late@example.com']);
  for (const mail of left) {
    expect(mail).not.toHaveProperty('sealed');
    expect(mail).not.toHaveProperty('sealedHtml');
    expect(mail).not.toHaveProperty('nextAttemptAt');
    expect(mail['goneAt']).toBeInstanceOf(Date);
  }
  expect(lines.join()).not.toMatch(/@|1234/);
  expect(await round(deliver)).toEqual([]);
});

test('one of two processes sends an email, and the other takes over if that one is killed', async () => {
  await enqueue();
  const gate = Promise.withResolvers<undefined>();
  let sends = 0;
  const slow: DeliverMail = async () => {
    sends += 1;
    await gate.promise;
    return { ok: true };
  };
  const both = [round(slow), round(slow)];
  gate.resolve(undefined);
  expect((await Promise.all(both)).flat()).toEqual(['sent']);
  expect(sends).toBe(1);

  await enqueue();
  const dies = round(() => Promise.reject(new Error('killed')));
  await expect(dies).rejects.toThrow('killed');
  expect(await round(busy)).toEqual([]);
  nowMs += 120_000;
  expect(await round(async () => ({ ok: true }))).toEqual(['sent']);
});

test('a failed email does not hold up others', async () => {
  for (const name of ['a', 'b', 'c']) await enqueue(`${name}@example.com`);
  const sent: string[] = [];
  const deliver: DeliverMail = async ({ to }) => {
    if (to.startsWith('a')) throw new Error('a bug');
    sent.push(to);
    return { ok: true };
  };
  await expect(round(deliver)).rejects.toThrow('a bug');
  expect(sent.toSorted()).toEqual(['b@example.com', 'c@example.com']);
});

test('the pause between attempts doubles up to ten minutes, and ends when the email becomes useless', () => {
  const after = (attempts: number) => nextMailAttempt({ attempts, validUntil: 1e9 }, 0, 0.5);
  expect([1, 2, 3, 7, 40].map(after)).toEqual([10_000, 20_000, 40_000, 600_000, 600_000]);
  expect(nextMailAttempt({ attempts: 1, validUntil: 10_000 }, 0, 0.5)).toBeNull();
});
