import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAuditLog } from '../../gateway/src/adapters/mongo/staff/staffStores.ts';
import { attemptLimits } from '../../gateway/src/application/signIn/attempts.ts';
import type { AuditEntry } from '../../gateway/src/domain/staff/auditEntry.ts';
import { describeRefusal } from '../../gateway/src/texts/describeRefusal.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { addStaff, enrolStaff, openBrowser, openLink, sendEnrolment } from '../staff/browse.ts';
import { freePort } from '../support/freePort.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { runNode } from '../support/runNode.ts';

/* The attack: passwords and codes are guessed, or a staff account is made secretly, without a trace. */

let gateway: TestGateway;
let metricsUrl: string;
const warnings: string[] = [];
const silent = () => undefined;
beforeAll(async () => {
  const port = String(await freePort());
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  gateway = await startTestGateway(
    { ROLE: 'api', TRUST_PROXY: '1', METRICS_PORT: port },
    undefined,
    {
      debug: silent,
      info: silent,
      error: silent,
      warn: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
    },
  );
});
afterAll(() => gateway.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });

async function failures(address: string): Promise<Record<string, unknown>[]> {
  return warnings
    .filter((line) => line.startsWith('sign-in failed') && line.includes(address))
    .map((line) => JSON.parse(line.replace('sign-in failed ', '')) as Record<string, unknown>);
}

const auditOf = (term: string): Promise<AuditEntry[]> =>
  createAuditLog(gateway.models, describeRefusal).search(term, null, 100);

const counted = async (entryPoint: string, outcome: string) => {
  const text = await (await fetch(metricsUrl)).text();
  const line = `framegate_sign_ins_total{entry_point="${entryPoint}",outcome="${outcome}"} `;
  return Number(
    text
      .split('\n')
      .find((each) => each.startsWith(line))
      ?.slice(line.length) ?? 0,
  );
};

test("a customer's wrong password is in the log and in the metrics, without the typed text", async () => {
  const email = 'trace@example.com';
  await signUpVerified(createVisitor(gateway.origin), gateway.dataDir, email);
  const { accounts } = gateway.database;
  const accountId = (await accounts.findByEmail(email))?.id;
  const visitor = createVisitor(gateway.origin, from('192.0.2.50'));
  await visitor.get('/sign-in');
  await visitor.post('/sign-in', { email, password: 'secretly typed' });
  await visitor.post('/sign-in', { email: 'nobody@example.com', password: 'secretly typed' });
  expect(await failures('192.0.2.50')).toEqual([
    expect.objectContaining({ accountId, entryPoint: 'site', outcome: 'password' }),
    expect.objectContaining({ accountId: null, entryPoint: 'site', outcome: 'password' }),
  ]);
  expect(warnings.join()).not.toMatch(/secretly|trace@|nobody@/);
  expect(await counted('site', 'password')).toBe(2);
  expect(await auditOf(String(accountId))).toEqual([]);
});

test('too many attempts are recorded once, not for each of a flood', async () => {
  const address = '192.0.2.51';
  const { email, accountId } = await enrolStaff(gateway, 'support');
  const thief = openBrowser(gateway.origin, from(address));
  await thief.get('/staff/sign-in');
  const before = await counted('console', 'throttled');
  const attempts = attemptLimits.signInPair.max + 5;
  for (let each = 0; each < attempts; each += 1) {
    await thief.send('/staff/sign-in', { email, password: 'wrong', code: '000000' });
  }
  const kinds = (await failures(address)).map(({ outcome }) => outcome);
  expect(kinds).toEqual([...Array.from({ length: 10 }, () => 'password'), 'throttled']);
  const results = (await auditOf(accountId)).map(({ result }) => result);
  expect(results.filter((result) => result === 'Wrong password. (console)')).toHaveLength(10);
  expect(results.filter((result) => result === 'Tried too often. (console)')).toHaveLength(1);
  expect((await counted('console', 'throttled')) - before).toBe(5);
});

describe('wrong codes after the right password', () => {
  test('are in the audit log, and every admin is notified after 30 in a row', async () => {
    const admin = await enrolStaff(gateway, 'admin');
    const { email, password, accountId } = await enrolStaff(gateway, 'support');
    const thief = openBrowser(gateway.origin, from('192.0.2.52'));
    await thief.get('/staff/sign-in');
    for (let each = 1; each <= 30; each += 1) {
      const { status } = await thief.send('/staff/sign-in', { email, password, code: '000000' });
      expect(status).toBe(400);
      // As if a quarter of an hour had passed.
      const { attempts } = gateway.collections;
      if (each % 10 === 0) await attempts.deleteMany({ _id: /^(staffCode|signIn\w+):/ });
    }
    const wrong = (await auditOf(accountId)).filter(
      ({ result, outcome }) => result === 'Wrong code. (console)' && outcome === 'refused',
    );
    expect(wrong).toHaveLength(30);
    expect(wrong[0]).toMatchObject({ action: 'sign in', email, address: '192.0.2.52' });
    const mails = await mailsTo(gateway.dataDir, admin.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Wrong codes entered at the Framegate console',
    ]);
    expect(mails[0]?.text).toContain('30');
    expect(await mailsTo(gateway.dataDir, email)).toEqual([]);
  });

  test('are also recorded at an enrolment', async () => {
    const { accountId, password, link } = await addStaff(gateway, 'support');
    const opened = await link();
    const browser = openBrowser(gateway.origin, from('192.0.2.53'));
    await openLink(browser, opened);
    await sendEnrolment(browser, opened, { password, code: '000000' });
    await sendEnrolment(browser, opened, { password: 'wrong', code: '000000' });
    const results = (await auditOf(accountId)).map(({ result }) => result);
    expect(results).toEqual(
      expect.arrayContaining(['Wrong code. (enrolment)', 'Wrong password. (enrolment)']),
    );
  });
});

test('accounts of staff and enrolment links made by the command are in the audit log', async () => {
  const admin = async (line: string) => {
    const { MONGODB_URI = '', DATA_DIR = '' } = gateway.env;
    const ended = await runNode(['gateway/src/admin.ts', ...line.split(' ')], {
      MONGODB_URI,
      DATA_DIR,
    });
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    return JSON.parse(ended.stdout) as { account_id: string };
  };
  const made = await admin(
    'account create --email made@framegate.example --password long-password-here --staff admin',
  );
  await admin(`staff enrol --account ${made.account_id} --new-password`);
  const entries = await auditOf(made.account_id);
  expect(
    entries.map(({ action, role, outcome, result }) => [action, role, outcome, result]),
  ).toEqual([
    ['command staff enrol', 'operator', 'done', 'new-password'],
    ['command account create', 'operator', 'done', 'staff admin'],
  ]);
  const { browser } = await enrolStaff(gateway, 'support');
  const page = await browser.get(`/staff/audit?term=${made.account_id}`);
  expect(page.html).toContain('<b>command account create</b>');
});
