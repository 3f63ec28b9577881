import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { commands } from '../../gateway/src/commands/commands.ts';
import { openBrowser, openLink } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { runNode } from '../support/runNode.ts';

/*
 * The attack: another user of the machine reads the list of processes, or npm's logs, while an operator
 * makes an account.
 */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(() => gateway.stop());

const password = 'three words on a line';
async function admin(line: string, input?: string) {
  const { MONGODB_URI = '', DATA_DIR = '' } = gateway.env;
  const env = { MONGODB_URI, DATA_DIR, BASE_URL: `${gateway.origin}/v1` };
  const ended = await runNode(['gateway/src/admin.ts', ...line.split(' ')], env, input);
  return { ...ended, json: JSON.parse(ended.stdout || '{}') as Record<string, string> };
}
const accountOf = ({ json }: Awaited<ReturnType<typeof admin>>) =>
  gateway.database.accounts.find(json['account_id'] ?? '');

test.each(['\n', '\r\n', '', '\nanother line\n'])(
  'a password comes on standard input, up to its end of line: %j',
  async (rest) => {
    const email = `ada${Buffer.from(rest).toString('hex')}@example.com`;
    const made = await admin(`account create --email ${email} --password-stdin`, password + rest);
    expect([made.status, made.stderr]).toEqual([0, '']);
    const hash = (await accountOf(made))?.passwordHash ?? '';
    expect(await argon2Passwords.verify(hash, password)).toBe(true);
  },
);

test('an empty standard input is no password', async () => {
  const made = await admin('account create --email none@example.com --password-stdin');
  expect([made.status, made.stderr]).toEqual([1, 'No password was found on standard input.\n']);
});

test('without a password the owner chooses it: staff by a link that works once, customers by a mailed code', async () => {
  const staff = await admin('account create --email sam@example.com --verified --staff admin');
  expect(staff.json['enrolment_url']).toMatch(/\/staff\/enrol#[\w-]{40,}$/);
  expect((await accountOf(staff))?.passwordHash).toBeNull();
  const { pathname, hash } = new URL(staff.json['enrolment_url'] ?? '');
  const page = await openLink(openBrowser(gateway.origin), pathname + hash);
  expect([page.status, page.html]).toEqual([200, expect.stringContaining('Choose a password')]);

  const customer = await admin('account create --email cleo@example.com --verified');
  expect(customer.json['password_url']).toBe(`${gateway.origin}/forgotten-password`);
  expect((await accountOf(customer))?.passwordHash).toBeNull();
});

test('the help and the documents name the safe ways first', () => {
  expect(commands['account create']?.usage).not.toMatch(/--password /);
});
