import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { addStaff } from '../staff/browse.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import { requests, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { enrolInBrowser } from './support/enrolInBrowser.ts';
import { inspectEverywhere } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { signUpInBrowser } from './support/signUpInBrowser.ts';

let ark: FakeArk;
let folder: string;
let bed: TestGateway;
let browser: Browser;
let stranger: Page;
let customer: Page;
let staff: Page;
const trouble: string[] = [];
/** Generations by what became of them. */
const made = { completed: '', failed: '', unknown: '', running: '' };
let accountId: string;
let keyId: string;

beforeAll(async () => {
  ark = await startFakeArk();
  folder = await mkdtemp(join(tmpdir(), 'framegate-looks-'));
  const env = { ...(await arkRoutes(folder, ark)), SIGNUP_CREDITS: '5000' };
  [bed, browser] = await Promise.all([startTestGateway(env), openBrowser()]);
  const open = async (): Promise<Page> => {
    const person = await newPerson(browser);
    person.page.on('close', () => trouble.push(...person.trouble));
    return person.page;
  };
  stranger = await open();
  customer = await open();
  staff = await open();
  await signUpInBrowser(customer, bed, 'ada@example.com');
  await customer.getByLabel('Name').fill('n8n at work');
  await customer.getByLabel('Input hosts').fill('media.example.com');
  await customer.getByLabel('Credits a day').first().fill('500');
  await customer.getByRole('button', { name: 'Create key' }).click();
  await fill(await customer.locator('#api-key').inputValue());
  const { password, link } = await addStaff(bed, 'admin');
  await staff.goto(bed.origin + (await link()));
  await enrolInBrowser(staff, password);
});
afterAll(async () => {
  await browser.close();
  await bed.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

/** Makes a generation of each fate. */
async function fill(apiKey: string): Promise<void> {
  const api = requests(bed.origin, apiKey);
  ark.script(
    { prompt: 'is refused', on: 'task', plan: { looks: 0, end: 'failed' } },
    { prompt: 'goes on', on: 'task', plan: { looks: 0, end: 'never' } },
    { prompt: 'is lost', on: 'submit', fault: { kind: 'drop' } },
  );
  const create = async (prompt: string): Promise<string> =>
    String((await api.post('/v1/videos', video({ prompt }))).json['id']);
  made.failed = await create('A boat that is refused');
  made.unknown = await create('A boat that is lost');
  made.completed = await create('A boat that comes home through the fog, slowly, with one lamp');
  for (const id of Object.values(made).filter(Boolean)) await api.untilEnded(id);
  made.running = await create('A boat that goes on');
  const { generations } = bed.gateway.database.collections;
  const find = (_id: string) => generations.findOne({ _id });
  await until(async () => (await find(made.running))?.['step'] === 'submitted');
  const running = await find(made.running);
  accountId = String(running?.['accountId']);
  keyId = String(running?.['keyId']);
}

/** Every page of a group, each with a name for its pictures. */
async function inspectAll(
  page: Page,
  paths: readonly (readonly [path: string, name: string])[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const [path, name] of paths) {
    await page.goto(bed.origin + path);
    problems.push(...(await inspectEverywhere(page, name)));
  }
  return problems;
}

describe('each page, at three widths, light and dark: nothing serious for axe, nothing too wide', () => {
  test('pages for everyone', async () => {
    const paths = [
      ['/', 'start'],
      ['/docs', 'docs'],
      ['/sign-up', 'sign-up'],
      ['/sign-in', 'sign-in'],
      ['/forgotten-password', 'forgotten-password'],
      ['/staff/sign-in', 'staff-sign-in'],
      ['/nowhere', 'wrong-address'],
    ] as const;
    expect(await inspectAll(stranger, paths)).toEqual([]);
  });

  test("a customer's pages", async () => {
    const paths = [
      ['/settings/public-api', 'keys'],
      ['/studio', 'studio'],
      ['/history', 'history'],
      [`/history?state=failed&by=${keyId}`, 'history-narrowed'],
      [`/settings/public-api/keys/${keyId}`, 'key'],
      [`/generations/${made.completed}`, 'generation-completed'],
      [`/generations/${made.failed}`, 'generation-failed'],
      [`/generations/${made.running}`, 'generation-running'],
      ['/credits', 'credits'],
      ['/settings/account', 'account'],
      ['/generations/gen_01arz3ndektsv4rrffq69g5fav', 'no-generation'],
    ] as const;
    expect(await inspectAll(customer, paths)).toEqual([]);
  });

  test("staff's pages", async () => {
    const paths = [
      ['/staff', 'staff-overview'],
      [`/staff/generations/${made.completed}`, 'staff-completed'],
      [`/staff/generations/${made.unknown}`, 'staff-unknown-outcome'],
      [`/staff/generations/${made.running}/fail-and-refund`, 'staff-confirm'],
      [`/staff/accounts/${accountId}`, 'staff-account'],
      ['/staff/generations?state=failed&since=today', 'staff-list'],
      ['/staff/charts', 'staff-charts'],
      ['/staff/jobs', 'staff-jobs'],
      ['/staff/hosts', 'staff-hosts'],
      ['/staff/unknown', 'staff-unknown'],
      ['/staff/proposals', 'staff-proposals'],
      ['/staff/audit', 'staff-audit'],
    ] as const;
    expect(await inspectAll(staff, paths)).toEqual([]);
  });

  test('no script failed and nothing was blocked on the way', async () => {
    for (const page of [stranger, customer, staff]) await page.close();
    expect(trouble).toEqual([]);
  });
});
