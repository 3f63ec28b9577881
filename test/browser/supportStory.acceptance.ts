import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { arkRoutes } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { enterConsole } from './support/enrolInBrowser.ts';
import { expectSoon } from './support/expectSoon.ts';
import { inspectPage } from './support/inspectPage.ts';
import { newPerson, openBrowser } from './support/openBrowser.ts';
import { startNamedGateway } from './support/virtualPasskey.ts';

let ark: FakeArk;
let folder: string;
let gateway: TestGateway;
let browser: Browser;
let page: Page;
let trouble: string[];
let ended: string;
let running: string;
let enrolment: string;
/** All requests of the browser. */
const asked: string[] = [];

beforeAll(async () => {
  ark = await startFakeArk();
  folder = await mkdtemp(join(tmpdir(), 'framegate-story-'));
  [gateway, browser] = await Promise.all([
    startNamedGateway(await arkRoutes(folder, ark)),
    openBrowser(),
  ]);
  ({ page, trouble } = await newPerson(browser));
  const customer = await gateway.addAccount({ credits: 500 });
  const create = async (prompt: string): Promise<string> =>
    String((await customer.post('/v1/videos', video({ prompt }))).json['id']);
  ark.script({ prompt: 'never ends', on: 'task', plan: { polls: 0, end: 'never' } });
  running = await create('never ends');
  ended = await create('my daughter at the sea');
  await customer.untilEnded(ended);
  const { generations } = gateway.collections;
  await until(async () => (await generations.findOne({ _id: running }))?.['step'] === 'submitted');
  page.on('request', (request) => asked.push(request.url()));
  enrolment = await enterConsole(page, gateway, 'support');
});
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

test('the code of an enrolment link is in no address that the browser asks for', () => {
  const [path = '', code = ''] = enrolment.split('#');
  const addresses = asked
    .map((url) => new URL(url))
    .map(({ pathname, search }) => pathname + search);
  expect(addresses).toContain(path);
  expect(addresses.filter((address) => address.includes(code))).toEqual([]);
});

/** Steps of support in addition to the tasks of tasks/support.ts. */
describe('the internals of a generation', () => {
  test('the prompt is shown to staff who give a reason', async () => {
    await page.goto(`${gateway.origin}/staff/generations/${ended}`);
    await page.getByText('API response').click();
    await page.locator('pre:visible', { hasText: '"status": "completed"' }).waitFor();
    expect(await page.locator('main').innerText()).not.toContain('my daughter');
    await page.getByText('Show prompt, input URLs and provider responses').click();
    await page.getByLabel('Reason, for the audit log').fill('the customer asked about it');
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByText('my daughter at the sea').waitFor();
    expect(await inspectPage(page, 'staff-revealed')).toEqual([]);
  });

  test('its job is in the list of jobs, with its own page and a link back', async () => {
    await page.goto(`${gateway.origin}/staff/generations/${running}`);
    await page.getByRole('link', { name: 'Show in Jobs' }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await expectSoon(() => page.locator('tbody tr').count(), 1);
    expect(await page.locator('tbody').innerText()).toContain(running);
    await page.locator('tbody').getByRole('link', { name: 'generation.run' }).click();
    await page.getByRole('heading', { name: 'generation.run' }).waitFor();
    await page.locator(`main a[href="/staff/generations/${running}"]`).click();
    await page.getByRole('heading', { name: running }).waitFor();
    await page.getByRole('link', { name: 'Check now' }).click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('status').waitFor();
  });

  test('the audit log records all of this', async () => {
    const done = ['enrol', 'reveal prompt', 'poll now'];
    const missing = async () => {
      await page.goto(`${gateway.origin}/staff/audit`);
      const words = await page.locator('main').innerText();
      return done.filter((word) => !words.includes(word));
    };
    await expectSoon(missing, []);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Staff console' }).waitFor();
    expect(trouble).toEqual([]);
  });
});
