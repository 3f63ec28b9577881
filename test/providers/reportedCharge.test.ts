import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { enrolStaff } from '../staff/browse.ts';
import { video } from '../support/bodies.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { runAdminHere } from '../support/runAdminHere.ts';
import { sampleFilm } from '../support/sampleMedia.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';

/* A described vendor that reports its charges, in credits of half a cent. */

let vendor: TinyServer;
let gateway: TestGateway;
let account: TestAccount;
/** The vendor's report of the charge for a prompt. */
const charges: Record<string, unknown> = {
  'a dear lake': 80,
  'a cheap lake': '20.5',
  'a free lake': 0,
  'a silent lake': undefined,
  'a negative lake': -3,
  'an absurd lake': 5_001,
  'a lake in HTML': '<html>secret words</html>',
  'a lake in a list': [],
};
/** The vendor's ids of its tasks are the prompts. */
const promptOf = (path: string) => decodeURIComponent(path.split('/').at(-1) ?? '');

beforeAll(async () => {
  const film = await sampleFilm();
  vendor = await startTinyServer(({ path, method, body }, response) => {
    if (path === '/film.mp4') {
      response.end(film);
    } else if (method === 'POST') {
      json(response, 200, { id: (body as { prompt: string }).prompt });
    } else {
      const prompt = promptOf(path);
      const state = prompt === 'a free lake' ? 'failed' : 'done';
      const url = `${vendor.origin}/film.mp4`;
      json(response, 200, { state, url, usage: { credits: charges[prompt] } });
    }
  });
  const does = {
    modes: ['text-to-video'],
    seconds: [5],
    resolutions: ['720p'],
    aspectRatios: ['16:9'],
  };
  const videos = {
    submit: { path: '/jobs' },
    send: { duration: 'seconds', resolution: 'quality', ratio: 'ratio' },
    taskId: '/id',
    poll: { path: '/jobs/{id}' },
    states: { at: '/state', pending: ['running'], completed: ['done'], failed: ['failed'] },
    files: { addresses: '/url' },
    charged: { at: '/usage/credits', currency: 'USD', factor: 0.005 },
  };
  const entry = {
    kind: 'http',
    allowPrivateNetwork: true,
    apiKeyEnv: 'KEY',
    mediaHosts: [vendor.host],
    polls: { everySeconds: 1 },
    budget: { currency: 'USD', perDay: 100 },
    // It uses the entry's base URL.
    baseURL: vendor.origin,
    api: { videos },
  };
  const cost = { currency: 'USD', perSecond: 0.05 };
  gateway = await startRoutedGateway(
    {
      providers: { vendor: entry },
      models: { 'alpha-2.0-pro': [{ provider: 'vendor', model: 'v1', does, cost }] },
    },
    { KEY: 'a-key', CREDIT_VALUE: '0.01 USD' },
  );
  account = await gateway.addAccount({ credits: 10_000 });
});
afterAll(async () => {
  await gateway.stop();
  await vendor.close();
});

test('replaces the estimate everywhere, unless it cannot be right, and customers never see it', async () => {
  const parameters = { duration_seconds: 5, resolution: '720p', aspect_ratio: '16:9' };
  const records = await Promise.all(
    Object.keys(charges).map(async (prompt) => {
      const body = video({ model: 'alpha-2.0-pro', prompt, parameters });
      const { status, json: made } = await account.post('/v1/videos', body);
      expect([status, made['error']]).toEqual([202, undefined]);
      return account.untilEnded(String(made['id']));
    }),
  );
  const states = records.map(({ status }) => status);
  expect(states).toEqual(
    Object.keys(charges).map((prompt) => (prompt === 'a free lake' ? 'failed' : 'completed')),
  );
  expect(JSON.stringify(records)).not.toMatch(/USD|micros|charged":\{|vendor|credits":80/);

  const { collections } = gateway;
  const found = await collections.generations.find().toArray();
  const charged = found.map(({ prompt, attempts }) => [prompt, attempts[0]?.charged?.micros]);
  expect(Object.fromEntries(charged)).toEqual({
    ...Object.fromEntries(Object.keys(charges).map((prompt) => [prompt, undefined])),
    'a dear lake': 400_000,
    'a cheap lake': 102_500,
    'a free lake': 0,
  });
  for (const { attempts } of found) {
    expect(attempts[0]?.cost).toEqual({ currency: 'USD', micros: 250_000 });
  }

  // Five estimates of 0.25, and the three charges.
  const [spent] = await collections.spending.find().toArray();
  expect(spent).toMatchObject({ provider: 'vendor', micros: 5 * 250_000 + 502_500 });
  const alerts = gateway.errors.filter((line) => line.includes('charge_implausible'));
  expect(alerts).toHaveLength(4);
  expect(alerts.join()).toContain('25.005 USD');
  expect(alerts.join()).not.toContain('secret words');

  const { browser } = await enrolStaff(gateway, 'admin');
  const { html } = await browser.get('/staff/costs');
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain('1.7525 USD cost billed, or may be billed');
  const dear = found.find(({ prompt }) => prompt === 'a dear lake');
  const page = await browser.get(`/staff/generations/${dear?._id ?? ''}`);
  expect(page.html).toMatch(/0\.40 USD.*charged.*reported; estimate 0\.25 USD/s);

  const today = new Date(gateway.clock.now()).toISOString().slice(0, 10);
  const days = ['--from', today, '--to', today];
  const { stdout } = await runAdminHere(['costs', 'export', ...days], gateway.env);
  expect(stdout).toContain(',estimate,reported_cost,reported\r\n');
  expect(stdout).toContain(',a cheap lake,');
  expect(stdout).toMatch(/,completed,charged,USD,0\.25,0\.1025,/);
  expect(stdout).toMatch(/,failed,none,USD,0\.25,0\.00,/);
  expect(stdout).toMatch(/,completed,charged,USD,0\.25,,/);
});
