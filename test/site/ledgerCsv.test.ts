import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ledgerCodec } from '../../gateway/src/adapters/mongo/models/ledger.ts';
import { createAttemptStore } from '../../gateway/src/adapters/mongo/signIn/attemptStore.ts';
import {
  openLedgerExport,
  writeLedgerCsv,
} from '../../gateway/src/application/credits/ledgerExport.ts';
import type { Database } from '../../gateway/src/application/ports/database.ts';
import { attemptLimits } from '../../gateway/src/application/signIn/attempts.ts';
import type { Account } from '../../gateway/src/domain/accounts/account.ts';
import { type LedgerEntry, ledgerEntry } from '../../gateway/src/domain/credits/ledgerChain.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

const path = '/credits/ledger.csv';
let gateway: TestGateway;
let visitor: Visitor;
let accountId = '';
let account: Account;
/** More than sockets buffer, so that an unread response stalls. */
const stored = 20_000;

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, 'ledger@example.com');
  const { database, collections } = gateway;
  account = (await database.accounts.findByEmail('ledger@example.com')) as Account;
  accountId = account.id;
  for (let first = 1; first <= stored; first += 5_000) {
    const entries = Array.from({ length: 5_000 }, (_, index) => entryOf(first + index));
    await collections.ledger.insertMany(entries.map(ledgerCodec.toStored), { ordered: false });
  }
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const entryOf = (number: number): LedgerEntry =>
  ledgerEntry(
    {
      accountId,
      number,
      kind: 'charge',
      requestId: 'req_1',
      at: 0,
      generationId: `gen_${number}`,
      reason: 'r'.repeat(600),
      movements: [{ lotId: 'lot_1', kind: 'purchased', amount: -1, expiresAt: null }],
    },
    null,
  );

/** Begins a download and never reads its body. */
const begin = () =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    get(gateway.origin + path, { headers: { cookie } }, resolve).on('error', reject);
  });

test('a page is read only after the previous one was consumed, and none after the reader has left', async () => {
  let read = 0;
  const endless = {
    listOldest: async (_account: string, after: number, limit: number) => {
      read += 1;
      return Array.from({ length: limit }, (_, index) => entryOf(after + index + 1));
    },
  };
  const generations = { findLabels: () => Promise.resolve([]) };
  const database = { ledger: endless, generations } as unknown as Database;
  const lines = Readable.from(writeLedgerCsv({ database }, account), { highWaterMark: 1 });
  const reader = lines[Symbol.asyncIterator]() as AsyncIterator<string>;
  for (let page = 0; page <= 10; page += 1) await reader.next();
  const ahead = read;
  expect(ahead).toBeLessThan(15);
  await reader.return?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBe(ahead);
});

test('one download runs at a time: a second waits for the end of the first, and a third must retry later', async () => {
  const first = await begin();
  expect(first.statusCode).toBe(200);
  const others = [visitor.get(path), visitor.get(path)];
  const refused = await Promise.race(others);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('20');

  first.destroy();
  await Promise.all(others);
  let third = refused;
  await until(async () => {
    third = await visitor.get(path);
    return third.status === 200;
  });
  const numbers = third.text.trimEnd().split('\r\n').slice(1);
  expect(numbers).toHaveLength(stored);
  expect(numbers.every((line, index) => line.startsWith(`${index + 1},`))).toBe(true);
  // Its slot is free before its last byte is sent.
  expect((await begin().then((fourth) => fourth.destroy())).statusCode).toBe(200);
});

test('thirty downloads an hour are allowed, because each reads the whole ledger', async () => {
  const { max } = attemptLimits.ledgerDownload;
  const { collections, database, clock } = gateway;
  await collections.attempts.deleteMany({ _id: /^ledger/ });
  const deps = { database, clock, attempts: createAttemptStore(collections) };
  const open = () => openLedgerExport(deps, account);
  for (let count = 0; count < max; count += 1) await (await open()).close();
  const refused = await visitor.get(path);
  expect(refused.status).toBe(429);
  expect(refused.text).toContain('Too many attempts');
  // Its single slot is free again.
  await expect(open()).rejects.toMatchObject({ code: 'tried_too_often' });
});
