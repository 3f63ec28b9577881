import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { catalogue } from '@framegate/contract';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { approveHost, createKey, revokeKey } from '../../gateway/src/application/keys/keys.ts';
import { hashApiKey } from '../../gateway/src/domain/accounts/apiKey.ts';
import { keyLimits } from '../../gateway/src/domain/accounts/keyLimits.ts';
import { makerOf, teamLimits } from '../../gateway/src/domain/teams/team.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

const { calculateObjectSize } = mongoose.mongo.BSON;
const maxBytes = 64 * 1024;
let admin: AdminTest;
beforeAll(async () => {
  admin = await connectAdmin();
});
afterAll(() => admin.close());

const stored = async (accountId: string) => {
  const account = await admin.database.accounts.find(accountId);
  if (!account) throw new Error(`there is no ${accountId}`);
  return account;
};
/** The widest name there is, in bytes, and all models but one, so that they are listed. */
const widest = {
  name: '\u{1F511}'.repeat(keyLimits.nameCharacters),
  models: catalogue.slice(1).map(({ id }) => id),
  dailyCredits: 1_000_000_000,
};
const make = (accountId: string, hosts: string[] = []) =>
  createKey(admin, { accountId, hosts, ...widest });
/** A host of exactly this many characters. */
const hostOf = (number: number, length: number) =>
  `${'h'.repeat(Math.max(1, length - 14))}${String(number).padStart(4, '0')}.files.app`;

test('a completely filled account stays below 64 kB, and the refusal names a remedy', async () => {
  const accountId = await admin.newAccount();
  const ended: string[] = [];
  for (let count = 0; count < keyLimits.revoked + 15; count += 1) {
    const { keyId } = await make(accountId, ['a.files.app']);
    await revokeKey(admin, keyId);
    ended.push(keyId);
  }
  const length = keyLimits.hostCharacters / keyLimits.hosts;
  const hosts = Array.from({ length: keyLimits.hosts }, (_, index) => hostOf(index, length));
  const firsts = [hosts.slice(0, keyLimits.hostsPerKey), hosts.slice(keyLimits.hostsPerKey)];
  const keyIds: string[] = [];
  for (let count = 0; count < keyLimits.live; count += 1) {
    keyIds.push((await make(accountId, firsts[count] ?? [])).keyId);
  }
  for (let count = 0; count < 20; count += 1) {
    const grant = { accountId, amountCredits: 1_000_000, kind: 'purchased' as const };
    await grantCredits(admin, { ...grant, expiresAt: null, reason: null });
  }
  await expect(make(accountId)).rejects.toMatchObject({ code: 'keys_full' });
  const one = { keyId: keyIds.at(-1) ?? '', host: 'one.more.app' };
  await expect(approveHost(admin, one)).rejects.toMatchObject({ code: 'account_hosts_full' });

  const spent = { day: 20_000, credits: widest.dailyCredits };
  await admin.collections.accounts.updateOne(
    { _id: accountId },
    { $set: { 'keys.$[].daySpent': spent } },
  );
  const sizeNow = async () =>
    calculateObjectSize((await admin.collections.accounts.findOne({ _id: accountId })) ?? {});
  expect(await sizeNow()).toBeLessThan(maxBytes);
  const monthSpent = { month: 24_000, credits: widest.dailyCredits };
  const monthlyCredits = widest.dailyCredits;
  const [at, widestEmail] = [new Date(0), `${'e'.repeat(64)}@${'d'.repeat(189)}`];
  const id = admin.random.newId('acct');
  const person = { id, email: widestEmail, role: 'billing' as const };
  const ofKeys = { monthSpent, monthlyCredits, madeBy: makerOf(person) };
  const members = Array.from({ length: teamLimits.members }, () => ({
    ...person,
    joinedAt: at,
    monthlyCredits,
    monthSpent,
  }));
  const invitations = Array.from({ length: teamLimits.invitations }, () => ({
    ...person,
    id: 'f'.repeat(64),
    sentAt: at,
    until: at,
  }));
  const teams = Array.from({ length: teamLimits.teams }, () => id);
  const { keys: filled = [] } =
    (await admin.collections.accounts.findOne({ _id: accountId })) ?? {};
  await admin.collections.accounts.updateOne(
    { _id: accountId },
    { $set: { keys: filled.map((key) => ({ ...key, ...ofKeys })), members, invitations, teams } },
  );
  expect(await sizeNow()).toBeLessThan(1.5 * maxBytes);
  const { keys } = await stored(accountId);
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null);
  expect(revoked.map(({ id: keyId }) => keyId)).toEqual(ended.slice(-keyLimits.revoked));
  expect(revoked.flatMap((key) => key.hosts)).toEqual([]);
  // Removed keys are still known by name, and their hashes are never used again.
  const [first = ''] = ended;
  expect(await admin.database.formerKeys.findNames(accountId, [first])).toEqual(
    new Map([[first, widest.name]]),
  );
  expect(await admin.database.formerKeys.findNames('acct_other', [first])).toEqual(new Map());

  await revokeKey(admin, keyIds[0] ?? '');
  await make(accountId, ['again.files.app']);
  await approveHost(admin, one);
});

test('a lookup by key reads only that key, and no lots', async () => {
  const accountId = await admin.newAccount();
  const { apiKey, keyId } = await make(accountId, ['a.files.app']);
  await make(accountId, ['b.files.app']);
  const found = await admin.database.accounts.findByKeyHash([hashApiKey(apiKey, admin.pepper)]);
  expect(Object.keys(found ?? {}).toSorted()).toEqual(['group', 'id', 'keys', 'limits']);
  expect(found?.keys.map(({ id }) => id)).toEqual([keyId]);
});
