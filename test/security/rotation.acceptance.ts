import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import { loadConfig } from '../../gateway/src/config.ts';
import { signOutputUrl } from '../../gateway/src/domain/generations/mediaUrl.ts';
import { type Gateway, startGateway } from '../../gateway/src/gateway.ts';
import { password } from '../site/support/signUpVerified.ts';
import { sendCode, turnOn, withPassword } from '../site/support/useSecondFactor.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { codeOf, enrolStaff, openBrowser } from '../staff/browse.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { requests } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/*
 * The attack: a secret has leaked, or an employee has left. Each list of secrets is rotated without an outage: the new
 * one comes first, both verify, and signatures of the old one stop working after its removal.
 */

const folder = temporaryFolder();
const database = createTestDatabase();
const port = String(await freePort());
/** The fields of a warning that the tests use. */
interface Warning {
  setting?: string;
  version?: string;
  uses?: Record<string, number>;
}
const warnings: Warning[] = [];
const warn = (fields: Warning) => void warnings.push(fields);
const log = { debug() {}, info() {}, warn, error() {} };
const secret = (name: string, version: string) =>
  `${version}:${`${name}-${version}`.padEnd(40, 'x')}`;
let gateway: Gateway | null = null;

/** The settings with these versions of every list. */
function settings(...versions: string[]) {
  const list = (name: string) => versions.map((version) => secret(name, version)).join();
  return {
    MONGODB_URI: database.uri,
    DATA_DIR: folder(),
    PORT: port,
    ROLE: 'api',
    KEY_PEPPERS: list('pepper'),
    MEDIA_SIGNING_KEYS: list('media'),
    SESSION_KEYS: list('session'),
  };
}

/** (Re)starts the gateway with these versions of every list. */
async function startWith(...versions: string[]): Promise<Gateway> {
  await gateway?.stop();
  gateway = await startGateway(loadConfig(settings(...versions)), { log });
  return gateway;
}
afterEach(async () => {
  await gateway?.stop();
  gateway = null;
});
afterAll(() => database.drop());

const depsOf = ({ database: { database: stores, clock }, random }: Gateway) => ({
  database: stores,
  clock,
  random,
  passwords: argon2Passwords,
});
const newAccount = async (running: Gateway, email: string) => {
  const command = { email, password, isVerified: true, staffRole: null };
  return (await createAccount(depsOf(running), command)).id;
};
const newKey = (running: Gateway, accountId: string) =>
  createKey(
    { ...depsOf(running), pepper: running.pepper },
    { accountId, name: 'rotated', hosts: [], models: [] },
  );
const statusOf = async (running: Gateway, apiKey: string) =>
  (await requests(running.url ?? '', apiKey).get('/v1/models')).status;

describe('rotation', () => {
  test('of peppers: old keys work until the old pepper is removed', async () => {
    const first = await startWith('1');
    const accountId = await newAccount(first, 'pepper@example.com');
    const old = await newKey(first, accountId);
    const both = await startWith('2', '1');
    expect(await statusOf(both, old.apiKey)).toBe(200);
    const fresh = await newKey(both, accountId);
    const stored = await both.database.database.accounts.find(accountId);
    expect(stored?.keys.map(({ pepperVersion }) => pepperVersion)).toEqual(['1', '2']);
    const second = await startWith('2');
    expect(await statusOf(second, fresh.apiKey)).toBe(200);
    expect(await statusOf(second, old.apiKey)).toBe(401);
  });

  test('of media signing keys: old links work until the old key is removed', async () => {
    const first = await startWith('1');
    const base = { mediaUrl: `${first.url}/media`, generationId: first.random.newId('gen') };
    const nowMs = first.database.clock.now();
    const signedBy = (...versions: string[]) =>
      signOutputUrl({
        ...base,
        nowMs,
        index: 0,
        extension: 'mp4',
        removedAt: nowMs + 3600_000,
        signingKeys: versions.map((version) => {
          const [name = '', text = ''] = secret('media', version).split(':');
          return { version: name, secret: text };
        }),
      }).url;
    // A valid signature leads to the missing file: 410; an invalid one gives 403.
    const status = async (url: string) => (await fetch(url)).status;
    const [old, fresh] = [signedBy('1'), signedBy('2', '1')];
    expect([await status(old), await status(fresh)]).toEqual([410, 403]);
    await startWith('2', '1');
    expect([await status(old), await status(fresh)]).toEqual([410, 410]);
    await startWith('2');
    expect([await status(old), await status(fresh)]).toEqual([403, 410]);
  });

  test('of session keys: people stay signed in until the old key is removed', async () => {
    const email = 'session@example.com';
    const first = await startWith('1');
    await newAccount(first, email);
    const visitor = createVisitor(first.url ?? '');
    await visitor.get('/sign-in');
    expect((await visitor.post('/sign-in', { email, password })).path).not.toBe('/sign-in');
    const before = new Map(visitor.cookies);
    await startWith('2', '1');
    expect((await visitor.get('/settings/public-api')).path).toBe('/settings/public-api');
    // That visit signed the cookie again; an earlier copy is invalid without the old key.
    await startWith('2');
    expect((await visitor.get('/settings/public-api')).path).toBe('/settings/public-api');
    const thief = createVisitor(first.url ?? '');
    for (const [name, value] of before) thief.cookies.set(name, value);
    expect((await thief.get('/settings/public-api')).path).toMatch(/^\/sign-in/);
  });

  test('of session keys: a second factor moves to the new key on use', async () => {
    const emails = ['moves@example.com', 'stays@example.com'] as const;
    const first = await startWith('1');
    const signedIn = async (email: string) => {
      const accountId = await newAccount(first, email);
      const { visitor } = await withPassword({ origin: first.url ?? '' }, email);
      return { accountId, ...(await turnOn({ visitor })) };
    };
    const [moves, stays] = [await signedIn(emails[0]), await signedIn(emails[1])];
    const enter = async (running: Gateway, email: string, code: string) => {
      const { customerFactors } = running.database.collections;
      // As if half a minute had passed since the last code.
      await customerFactors.updateMany({}, { $set: { lastStep: 0 } });
      const { visitor, page } = await withPassword({ origin: running.url ?? '' }, email);
      return (await sendCode(visitor, page, code)).status;
    };
    const both = await startWith('2', '1');
    expect(await enter(both, emails[0], codeOf(moves.secret))).toBe(200);
    const second = await startWith('2');
    expect(await enter(second, emails[0], codeOf(moves.secret))).toBe(200);
    expect(await enter(second, emails[1], codeOf(stays.secret))).toBe(400);
    expect(await enter(second, emails[1], stays.recoveryCodes[0] ?? '')).toBe(200);
  });

  test('of session keys: staff who sign in meanwhile stay enrolled, and the others are named', async () => {
    const first = await startWith('1');
    const { database: firstDatabase, random, url } = first;
    const started = { ...firstDatabase, random, env: settings('1'), origin: url ?? '' };
    const [moves, stays] = [
      await enrolStaff(started, 'admin'),
      await enrolStaff(started, 'support'),
    ];
    const enter = async (
      running: Gateway,
      { email, password: ownPassword, secret: ownSecret }: typeof moves,
    ) => {
      const { staffFactors } = running.database.collections;
      // As if half a minute had passed since the last code.
      await staffFactors.updateMany({}, { $set: { lastStep: 0 } });
      const browser = openBrowser(running.url ?? '');
      await browser.get('/staff/sign-in');
      const code = codeOf(ownSecret);
      return (await browser.send('/staff/sign-in', { email, password: ownPassword, code })).status;
    };
    const both = await startWith('2', '1');
    expect(await enter(both, moves)).toBe(303);
    const second = await startWith('2');
    expect(await enter(second, moves)).toBe(303);
    expect(await enter(second, stays)).toBe(400);
    expect(warnings).toContainEqual(expect.objectContaining({ accountId: stays.accountId }));
    const isNamed = ({ setting, version, uses }: Warning) =>
      setting === 'SESSION_KEYS' && version === '1' && uses?.['staff_second_factors'] === 1;
    await until(() => warnings.some(isNamed), 'the start names what is missing');
  });
});
