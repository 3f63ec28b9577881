import { beforeAll, describe, expect, test } from '@jest/globals';
import { video } from '../support/bodies.ts';
import type { FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import type { Browser, Page } from './browse.ts';
import { useConsole } from './consoleWorld.ts';

const world = useConsole();
let ark: FakeArk;
let gateway: TestGateway;
let support: Browser;
let admin: Browser;
let account: TestAccount;
beforeAll(async () => {
  ({ ark, gateway, support, admin } = world());
  account = await gateway.addAccount({ credits: 10_000 });
});

const page = '/staff/routes';
const reason = 'their incident';
async function act(by: Browser, action: string, target: string, hours = '2'): Promise<Page> {
  await by.get(page);
  return by.send(page, { action, target, hours, reason });
}
const order = (model: string, prompt: string) =>
  account.post('/v1/videos', video({ model, prompt }));

test('orders wait for a paused provider, and go there when the pause ends', async () => {
  const paused = await act(support, 'pause', 'ark', '1');
  expect([paused.status, paused.html.includes('ark gets no new orders for an hour.')]).toEqual([
    200,
    true,
  ]);
  expect((await support.get('/staff')).html).toContain('ark has an open circuit');
  // Under ten minutes before its end a pause only delays.
  const { breakers } = gateway.collections;
  const soon = { openUntil: new Date(Date.now() + 590_000) };
  await breakers.updateOne({ _id: 'ark' }, { $set: soon, $inc: { version: 1 } });
  await until(async () => (await order('alpha-2.0-mini', 'waits')).status === 202);
  const { generations } = gateway.collections;
  await until(
    async () =>
      (await generations.countDocuments({ prompt: 'waits', open: true, step: 'parked' })) > 0,
  );
  expect(ark.accepted('waits')).toBe(0);

  await act(support, 'pause', 'ark', '1');
  const ended = await act(support, 'resume', 'ark');
  expect(ended.html).toContain('ark gets orders again.');
  const charts = (await support.get('/staff/charts?range=hour')).html;
  expect(charts).toContain(
    'Success rate, by provider of the last attempt; shaded while a circuit was open',
  );
  expect(charts).toContain('circuit open: ark</title>');
  await until(async () => (await generations.countDocuments({ open: true })) === 0);
  expect(ark.accepted('waits')).toBeGreaterThan(0);
  expect((await act(support, 'resume', 'ark')).html).toContain('ark was not paused.');
});

describe('an admin stops selling a model', () => {
  const model = 'beta-3.0';
  const other = 'alpha-2.0-mini';
  const balance = async () => (await account.get('/v1/credits/balance')).json['available'];
  const statusOf = async (id: string) => {
    const html = await (await fetch(`${gateway.origin}/status`)).text();
    return html.slice(html.indexOf(`<tr id="${id}">`)).split('</tr>')[0];
  };

  test('until they sell it again, and only its orders are refused, immediately and before any charge', async () => {
    const refused = await act(support, 'stop', model, '');
    expect([refused.status, refused.html.includes('allow this. Ask an admin.')]).toEqual([
      403,
      true,
    ]);
    ark.script({ on: 'task', prompt: 'under way', plan: { polls: 3, end: 'succeeded' } });
    const accepted = await order(model, 'under way');
    expect(accepted.status).toBe(202);
    const before = await balance();
    const stopped = await act(admin, 'stop', model, '');
    expect(stopped.html).toContain('beta-3.0 is not sold until an admin sells it again.');
    const response = await order(model, 'not sold');
    expect([response.status, response.headers.get('retry-after'), response.json]).toMatchObject([
      503,
      '86400',
      { error: { code: 'model_unavailable' } },
    ]);
    expect(await balance()).toBe(before);
    expect((await order(other, 'same route')).status).toBe(202);
    expect(await account.untilEnded(String(accepted.json['id']))).toMatchObject({
      status: 'completed',
    });
    expect(await statusOf(model)).toContain('Unavailable');
    expect(await statusOf(other)).not.toContain('Unavailable');
    expect((await support.get('/staff')).html).toContain('Not sold: beta-3.0');
    expect((await admin.get('/staff/audit?term=stop%20selling')).html).toContain(reason);

    expect((await act(support, 'sell-again', model)).status).toBe(403);
    expect((await act(admin, 'sell-again', model)).html).toContain('beta-3.0 is sold again.');
    expect((await order(model, 'sold again')).status).toBe(202);
    expect((await act(admin, 'sell-again', model)).html).toContain('beta-3.0 was not stopped.');
  });

  test('for some hours, after which its sale resumes by itself', async () => {
    expect((await act(admin, 'stop', model, '24')).html).toContain('t sold for a day.');
    expect((await order(model, 'not sold')).status).toBe(503);
    const { breakers } = gateway.collections;
    const over = { openUntil: new Date(Date.now() - 1) };
    await breakers.updateOne({ _id: `stop: ${model}` }, { $set: over, $inc: { version: 1 } });
    await until(async () => (await order(model, 'time is over')).status === 202);
    expect((await support.get('/staff')).html).not.toContain('Not sold');
  });

  test('and sees in advance which work continues', async () => {
    const { html } = await admin.get(page);
    expect(html).toMatch(
      />beta-3\.0 \(\d+ unfinished continue; still sold: [^)]*alpha-2\.0-mini[^)]*\)</,
    );
    expect(html).toMatch(/<select name="hours">\s*<option value="">until it is sold again</);
  });
});

test('bad input is refused with its reason', async () => {
  const responses = [
    ['pause', 'nobody', '1', 'This route does not exist.'],
    ['stop', 'nothing', '1', 'nothing has no route.'],
    ['pause', 'ark', '0', 'Choose a number of hours from 1 to 168.'],
    ['pause', 'ark', '169', 'Choose a number of hours from 1 to 168.'],
    ['pause', 'ark', 'long', 't a whole number'],
  ] as const;
  for (const [action, target, hours, told] of responses) {
    const { status, html } = await act(admin, action, target, hours);
    expect([told, status, html.includes(told)]).toEqual([told, 409, true]);
  }
});

describe('the page of all routes', () => {
  test('shows health, costs, errors and differences of each, costs to admins alone', async () => {
    const model = 'alpha-2.5-lite';
    const fault = { kind: 'error', status: 400, code: 'InvalidParameter' } as const;
    const film = { seconds: 3 };
    ark.script(
      { on: 'submit', prompt: 'wrong harbour', fault: { ...fault, message: 'wrong harbour here' } },
      { on: 'task', prompt: 'short harbour', plan: { polls: 0, end: 'succeeded', film } },
    );
    for (const prompt of ['wrong harbour', 'short harbour']) {
      const { status, json } = await order(model, prompt);
      expect(status).toBe(202);
      await account.untilEnded(String(json['id']));
    }
    const { html } = await admin.get(page);
    for (const part of [
      `<b>${model}</b>`,
      'tried in order',
      'in service',
      '400: InvalidParameter',
      '&lt;prompt&gt; here',
      '1 does not match the order',
      ' USD',
      `?target=${model}#stop`,
      '?target=ark%20upstream-model#pause',
    ]) {
      expect([part, html.includes(part)]).toEqual([part, true]);
    }
    expect(html).not.toContain('wrong harbour');
    const shown = (await support.get(page)).html;
    for (const part of [' USD', '#stop']) expect(shown).not.toContain(part);
  });

  test('preselects the route of its link, and is a section of the console', async () => {
    const { html } = await support.get(`${page}?target=ark%20upstream-model`);
    expect(html).toMatch(/<option value="ark upstream-model" selected/);
    expect(html).toMatch(/<a href="\/staff\/routes"\s+aria-current="page"/);
  });
});
