import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { DatabaseUnavailableError, DuplicateValueError } from '../../application/ports/database.ts';
import {
  asDuplicate,
  describeLostSnapshot,
  describeUnreachable,
  isDatabaseTrouble,
} from './errors.ts';

const { MongoNetworkError, MongoServerError, MongoNotConnectedError } = mongoose.mongo;

const serverError = (code: number, labels: string[] = []) =>
  new MongoServerError({ message: 'said by the server', code, errorLabels: labels });

test.each<[string, unknown, boolean]>([
  ['a connection that was cut', new MongoNetworkError('closed'), true],
  ['a connection that was closed before', new MongoNotConnectedError('closed'), true],
  ['a server that is not a primary', serverError(10107), true],
  ['a time limit of ours', serverError(50), true],
  ['an error that the server does not know', serverError(8), true],
  ['a lock that is held', serverError(46), true],
  ['a snapshot that cannot be read', serverError(246), true],
  ['a transaction that may be repeated', serverError(1, ['TransientTransactionError']), true],
  ['a queue of ours that is full', new DatabaseUnavailableError('too many wait'), true],
  ['a unique value that is taken', serverError(11000), false],
  ['the same by its index', new DuplicateValueError('email'), false],
  ['a query that cannot be understood', serverError(2), false],
  ['a bug', new TypeError('not a function'), false],
  ['a value that is not an error', { name: 'MongoNetworkError' }, false],
])('%s', (_what, error, isTrouble) => {
  expect(isDatabaseTrouble(error)).toBe(isTrouble);
});

test.each([
  [239, /^The check took longer than .* Raise mongod's minSnapshotHistoryWindowInSeconds/],
  [246, /^The database built an index during the check\. Run the check again\.$/],
  [262, /^null$/],
])('error %i counts as the loss of a snapshot: %s', (code, told) => {
  expect(String(describeLostSnapshot(serverError(code)))).toMatch(told);
});

test.each([
  ['test.accounts index: externalId dup key: { externalId: "shop 1" }', 'externalId'],
  ['test.accountLookups index: _id_ dup key: { _id: "keyHash 0a1b" }', 'keyHash'],
  ['test.ledger index: _id_ dup key: { _id: "acct_1.0001" }', '_id_'],
])('a taken value of %s is recognised', (place, index) => {
  const message = `E11000 duplicate key error collection: ${place}`;
  const taken = asDuplicate(new MongoServerError({ message, code: 11000 }));
  expect(taken).toEqual(new DuplicateValueError(index));
  expect(taken).toMatchObject({ index });
});

test('explains a failed connection: missing servers, or a set without a primary', () => {
  const refused = new Error('connect ECONNREFUSED');
  const failure = (type: string, ...errors: (Error | null)[]) => ({
    message: 'Server selection timed out',
    reason: { type, servers: new Map(errors.map((error, index) => [String(index), { error }])) },
  });
  const leaderless = /^The replica set of MONGODB_URI has no primary/;
  expect(describeUnreachable(failure('ReplicaSetNoPrimary', null, null))).toMatch(leaderless);
  expect(describeUnreachable(failure('ReplicaSetNoPrimary'))).toMatch(leaderless);
  for (const other of [
    failure('ReplicaSetNoPrimary', refused, refused),
    failure('Unknown'),
    refused,
  ]) {
    expect(describeUnreachable(other)).toBe(
      `MongoDB does not respond at MONGODB_URI: ${other.message}`,
    );
  }
});
