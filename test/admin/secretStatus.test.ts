import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import { createMailStore } from '../../gateway/src/adapters/mongo/mails/mailStore.ts';
import { createCustomerFactorStore } from '../../gateway/src/adapters/mongo/signIn/factorStores.ts';
import { createSecretStore } from '../../gateway/src/adapters/mongo/signIn/secretStore.ts';
import { createOperatorKeyStore } from '../../gateway/src/adapters/mongo/staff/operatorStores.ts';
import { createKey, revokeKey } from '../../gateway/src/application/keys/keys.ts';
import { createOperatorKey } from '../../gateway/src/application/operator/operatorKeys.ts';
import { seal } from '../../gateway/src/application/secretBox.ts';
import { staffFactorPurpose } from '../../gateway/src/application/signIn/factorCode.ts';
import { judgeSecrets } from '../../gateway/src/application/upkeep/secretStatus.ts';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';
import { runAdminHere } from '../support/runAdminHere.ts';
import type { Ended } from '../support/runNode.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

let tester: AdminTest;
let dataDir = '';
const owners: string[] = [];
const versioned = (version: string) => ({ version, secret: `secret-${version}`.padEnd(40, 'x') });
const listed = (...versions: string[]) =>
  versions.map((version) => `${version}:${versioned(version).secret}`).join();

/** For each kind, two accounts whose key or factor was made with `old`, and one with `new`. */
beforeAll(async () => {
  tester = await connectAdmin();
  dataDir = await mkdtemp(join(tmpdir(), 'framegate-secrets-'));
  const factors = createCustomerFactorStore(tester.models);
  for (const version of ['old', 'old', 'new']) {
    const accountId = await tester.newAccount();
    owners.push(accountId);
    const make = (name: string) =>
      createKey(
        { ...tester, pepper: versioned(version) },
        { accountId, name, hosts: [], models: [] },
      );
    await make('works');
    await revokeKey(tester, (await make('revoked')).keyId);
    await factors.insert({
      id: accountId,
      secret: seal('GEZDGNBV', accountId, [versioned(version)], 'customer second factor'),
      lastStep: 0,
      recoveryHashes: [],
      enabledAt: 0,
    });
  }
  const operatorKeys = createOperatorKeyStore(tester.models);
  await createOperatorKey(
    { ...tester, operatorKeys, pepper: versioned('new') },
    { name: 'shop', scopes: ['credits:read'], addresses: [], expiresAt: null },
  );
  const [staff = ''] = owners;
  const secret = seal('GEZDGNBV', staff, [versioned('old')], staffFactorPurpose);
  await tester.collections.staffFactors.insertOne({
    _id: staff,
    secret,
    lastStep: 0,
    linkHash: null,
    linkUntil: new Date(0),
    setsPassword: false,
  });
  const nowMs = tester.clock.now();
  await createMailStore(tester.models).insert({
    id: 'mail_1',
    to: 'ada@example.com',
    subject: 'Your code',
    sealed: seal('A code', 'mail_1', [versioned('old')], 'mail'),
    sealedHtml: seal('<p>A code</p>', 'mail_1', [versioned('old')], 'mail'),
    attempts: 0,
    createdAt: nowMs,
    nextAttemptAt: nowMs,
    validUntil: nowMs + minuteMs,
    goneAt: nowMs + hourMs,
  });
});

afterAll(async () => {
  await tester.close();
  await rm(dataDir, { recursive: true });
});

/** `npm run admin -- secrets status` with these versions in every list. */
const status = (...versions: string[]): Promise<Ended> =>
  runAdminHere(['secrets', 'status'], {
    MONGODB_URI: tester.uri,
    DATA_DIR: dataDir,
    KEY_PEPPERS: listed(...versions),
    MEDIA_SIGNING_KEYS: listed(...versions),
    SESSION_KEYS: listed(...versions),
  });

const rowsOf = ({ stdout }: Ended) =>
  (JSON.parse(stdout) as { secrets: Record<string, unknown>[] }).secrets;

/** Records a version's last use for new values, as its processes would. */
const noteMade = async (id: string, at: number) => {
  const made = { $set: { madeUntil: new Date(at) } };
  await tester.collections.secretVersions.updateOne({ _id: id }, made, { upsert: true });
};

test('counts the data that uses each version, and names its holders', async () => {
  await noteMade('mediaSigningKeys:old', Date.now());
  await noteMade('sessionKeys:old', Date.now());
  const ended = await status('new', 'old');
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  const made = { state: 'makes', can_go: false, made_until: null, needed_until: null };
  const verifies = { state: 'verifies', version: 'old', can_go: false };
  const [first, second, third] = owners;
  expect(rowsOf(ended)).toEqual([
    {
      ...made,
      setting: 'KEY_PEPPERS',
      version: 'new',
      uses: { api_keys: 1, operator_keys: 1 },
      accounts: [third],
    },
    {
      ...verifies,
      setting: 'KEY_PEPPERS',
      uses: { api_keys: 2, operator_keys: 0 },
      accounts: expect.arrayContaining([first, second]),
      made_until: null,
      needed_until: null,
    },
    { ...made, setting: 'MEDIA_SIGNING_KEYS', version: 'new', uses: {}, accounts: [] },
    {
      ...verifies,
      setting: 'MEDIA_SIGNING_KEYS',
      uses: {},
      accounts: [],
      made_until: time,
      needed_until: time,
    },
    {
      ...made,
      setting: 'SESSION_KEYS',
      version: 'new',
      uses: { staff_second_factors: 0, customer_second_factors: 1, mails: 0 },
      accounts: [third],
    },
    {
      ...verifies,
      setting: 'SESSION_KEYS',
      uses: { staff_second_factors: 1, customer_second_factors: 2, mails: 1 },
      accounts: expect.arrayContaining([first, second]),
      made_until: time,
      needed_until: time,
    },
  ]);
});

test('a version that the settings lack is reported while it is needed, with exit status 1', async () => {
  const long = Date.now() - 8 * dayMs;
  await noteMade('mediaSigningKeys:old', long);
  await noteMade('sessionKeys:gone', long);
  const ended = await status('new');
  expect(ended).toMatchObject({ status: 1, stderr: '' });
  const missing = rowsOf(ended).filter(({ state }) => state === 'missing');
  expect(missing.map(({ setting, version }) => [setting, version])).toEqual([
    ['KEY_PEPPERS', 'old'],
    ['SESSION_KEYS', 'old'],
  ]);
});

test('a version can be removed once no data uses it and its retention has ended', async () => {
  await noteMade('mediaSigningKeys:old', Date.now() - 25 * hourMs);
  const [former] = rowsOf(await status('new', 'old')).filter(
    ({ setting, version }) => setting === 'MEDIA_SIGNING_KEYS' && version === 'old',
  );
  expect(former).toMatchObject({ can_go: true, needed_until: null });
});

test('its queries use indexes, however much is stored', async () => {
  const { accounts, customerFactors } = tester.collections;
  const many = 2_000;
  const key = { pepperVersion: 'new', revokedAt: null };
  await plain(accounts).insertMany(
    Array.from({ length: many }, (_, index) => ({
      _id: `acct_many${index}`,
      email: `many${index}@example.com`,
      keys: [{ ...key, id: `key_many${index}`, hash: `hash ${index}` }],
    })),
  );
  await customerFactors.insertMany(
    Array.from({ length: many }, (_, index) => ({
      _id: `acct_many${index}`,
      secret: `new:${index}`,
      lastStep: 0,
      recoveryHashes: [],
      enabledAt: new Date(0),
    })),
  );
  const store = createSecretStore(tester.collections, tester.clock);
  const read = await profile(
    tester.db,
    ['accounts', 'customerFactors', 'staffFactors', 'mails'],
    async () => {
      const { stored, countUses } = await store.look();
      expect(new Set(stored.map(({ version }) => version))).toEqual(new Set(['old', 'new']));
      await countUses({ name: 'keyPeppers', version: 'old' }, many);
      await countUses({ name: 'sessionKeys', version: 'old' }, many);
    },
  );
  expect(read.length).toBeGreaterThan(5);
  expect(read.filter(({ collection }) => collection === 'mails')).toHaveLength(1);
  expect(read.filter(({ plan }) => /COLLSCAN/.test(plan))).toEqual([]);
  expect(read.filter(({ documents, keys }) => documents > 10 || keys > 20)).toEqual([]);
});

test('the count is bounded', async () => {
  const store = createSecretStore(tester.collections, tester.clock);
  const { countUses } = await store.look();
  const { uses } = await countUses({ name: 'keyPeppers', version: 'new' }, 100);
  expect(uses).toEqual({ api_keys: 100, operator_keys: 1 });
  const secrets = [versioned('new')];
  const all = { keyPeppers: secrets, mediaSigningKeys: secrets, sessionKeys: secrets };
  const judged = await judgeSecrets({ store, clock: tester.clock, secrets: all });
  expect(judged[0]).toMatchObject({ uses: { api_keys: 2_001 } });
  expect(judged[0]?.accountIds).toHaveLength(20);
});
