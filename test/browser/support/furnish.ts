import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { addStaff } from '../../staff/browse.ts';
import { arkRoutes } from '../../support/arkRoutes.ts';
import { video } from '../../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../../support/fakeArk/fakeArk.ts';
import { requests, type TestGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';
import { addImages } from './addImages.ts';
import { enterConsole } from './enrolInBrowser.ts';
import { newPerson } from './openBrowser.ts';
import { signUpInBrowser } from './signUpInBrowser.ts';
import { startNamedGateway } from './virtualPasskey.ts';
import { password } from '../../site/support/signUpVerified.ts';

/** The owners of pages: people who are not signed in, customers and staff. */
export type Who = 'stranger' | 'newcomer' | 'customer' | 'staff';

/** A gateway in which every page has something to show. */
export interface House {
  gateway: TestGateway;
  /** The provider of its videos. */
  ark: FakeArk;
  /** A browser's page of each. */
  pages: Record<Who, Page>;
  accountId: string;
  keyId: string;
  /** Generations by outcome. */
  made: Record<'completed' | 'failed' | 'unknown' | 'running' | 'images', string>;
  /** Path of the page on which a customer who has just signed up enters the code. */
  confirmPath: string;
  /** Path of the page on which a new staff member enrols. */
  enrolPath: string;
  /** Failures in the pages that were closed: scripts, blocked and failed loads. */
  trouble: string[];
  close: () => Promise<void>;
}

/** Starts the gateway and fills it. @param env Further settings. */
export async function furnish(browser: Browser, env: Record<string, string> = {}): Promise<House> {
  const ark = await startFakeArk();
  const folder = await mkdtemp(join(tmpdir(), 'framegate-house-'));
  const routes = await arkRoutes(folder, ark, {}, {}, ['image-b-2']);
  const settings = { SIGNUP_CREDITS: '5000', POSTERS: 'all', ...env };
  const gateway = await startNamedGateway({ ...routes, ...settings });
  const trouble: string[] = [];
  const open = async (): Promise<Page> => {
    const person = await newPerson(browser);
    person.page.on('close', () => trouble.push(...person.trouble));
    return person.page;
  };
  const pages = {
    stranger: await open(),
    newcomer: await open(),
    customer: await open(),
    staff: await open(),
  };
  await pages.stranger.goto(`${gateway.origin}/sign-up`);
  await pages.stranger.getByLabel('Email').fill('stranger@example.com');
  await pages.stranger.getByRole('button', { name: 'Create account' }).click();
  await pages.stranger.getByRole('heading', { name: 'Check your email' }).waitFor();
  const confirmPath = new URL(pages.stranger.url()).pathname;
  await signUpInBrowser(pages.newcomer, gateway, 'grace@example.com');

  const { customer } = pages;
  await signUpInBrowser(customer, gateway, 'ada@example.com');
  await customer.goto(`${gateway.origin}/settings/public-api`);
  await customer.getByLabel('Name').fill('n8n at work');
  await customer.getByLabel('Input hosts').fill('media.example.com');
  await customer.getByLabel('Credits per day').first().fill('500');
  await customer.locator('#new [name=current_password]').fill(password);
  await customer.getByRole('button', { name: 'Create key' }).click();
  const apiKey = await customer.locator('#api-key').inputValue();
  const generations = await generate(gateway, ark, apiKey);
  const running = await gateway.collections.generations.findOne({
    _id: generations.running,
  });
  const accountId = String(running?.accountId);
  const images = await addImages(gateway, accountId, { number: 0, n: 2 });

  await enterConsole(pages.staff, gateway, 'admin');
  const enrolPath = await (await addStaff(gateway, 'support')).link();
  const close = async (): Promise<void> => {
    await gateway.stop();
    await ark.close();
    await rm(folder, { recursive: true, force: true });
  };
  const made = { ...generations, images };
  const ids = { accountId, keyId: String(running?.keyId), made };
  return { gateway, ark, pages, ...ids, confirmPath, enrolPath, trouble, close };
}

/** Makes a generation with each outcome. */
async function generate({ collections, origin }: TestGateway, ark: FakeArk, apiKey: string) {
  const api = requests(origin, apiKey);
  ark.script(
    { prompt: 'is refused', on: 'task', plan: { polls: 0, end: 'failed' } },
    { prompt: 'goes on', on: 'task', plan: { polls: 0, end: 'never' } },
    { prompt: 'is lost', on: 'submit', fault: { kind: 'drop' } },
  );
  const create = async (prompt: string): Promise<string> =>
    String((await api.post('/v1/videos', video({ prompt }))).json['id']);
  const ended = {
    failed: await create('A boat that is refused'),
    unknown: await create('A boat that is lost'),
    completed: await create('A boat that comes home through the fog, slowly, with one lamp'),
  };
  for (const id of Object.values(ended)) await api.untilEnded(id);
  const running = await create('A boat that goes on');
  const { generations } = collections;
  await until(async () => (await generations.findOne({ _id: running }))?.step === 'submitted');
  return { ...ended, running };
}
