import { beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs } from '@framegate/contract';
import { endPlan, startPlan } from '../../gateway/src/application/credits/plans.ts';
import type { FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { type Browser, openBrowser } from './browse.ts';
import { useConsole } from './consoleWorld.ts';
import { createVideo, runningVideo } from './staffFixtures.ts';

const world = useConsole();
let ark: FakeArk;
let gateway: TestGateway;
let support: Browser;
let admin: Browser;
beforeAll(() => {
  ({ ark, gateway, support, admin } = world());
});

const stored = (id: string) => gateway.collections.generations.findOne({ _id: id });

describe('the pages', () => {
  test('an account shows its plan', async () => {
    const { accountId } = await gateway.addAccount();
    const page = `/staff/accounts/${accountId}`;
    expect((await support.get(page)).html).not.toContain('credits per month');
    const { database, clock } = gateway;
    const { random } = gateway;
    const plan = { accountId, name: 'Studio <500>', credits: 1500, startsAt: null };
    await startPlan({ database, clock, random }, plan);
    const { html } = await support.get(page);
    expect(html.replaceAll(/\s+/g, ' ')).toContain(
      'Plan <b>Studio &lt;500&gt;</b>: 1,500 credits per month',
    );
    await endPlan({ database, clock }, accountId);
    expect((await support.get(page)).html).toContain('ended');
  });

  test('a generation shows all but the prompt, which is revealed with a reason', async () => {
    const account = await gateway.addAccount();
    const id = await runningVideo({ gateway, ark }, account, 'nobody reads this');
    const task = ark.submitted().find(({ prompt }) => prompt === 'nobody reads this')?.taskId;
    const page = `/staff/generations/${id}`;
    const { html, headers } = await support.get(page);
    for (const word of [id, account.accountId, account.keyId, String(task), 'generation.run']) {
      expect([word, html.includes(word)]).toEqual([word, true]);
    }
    expect(html).not.toContain('nobody reads this');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    const none = await support.send(`${page}/reveal`, { reason: '' });
    expect([none.status, none.html.includes('nobody reads this')]).toEqual([409, false]);
    // The element that a browser focuses.
    expect(none.html).toContain('tabindex="-1" autofocus role="alert"');
    const revealed = await support.send(`${page}/reveal`, { reason: 'the customer asked' });
    expect(revealed.html).toContain('nobody reads this');
    expect(revealed.html).toContain('the customer asked');
  });

  test('irreversible actions are confirmed with customer, credits, model and age, by a red button', async () => {
    const account = await gateway.addAccount({ email: 'red@example.com' });
    const id = await runningVideo({ gateway, ark }, account, 'to be failed');
    const cost = Number((await stored(id))?.['costCredits']);
    const key = (await gateway.database.accounts.find(account.accountId))?.keys[0];
    const keyName = `${key?.name} …${key?.lastFour}`;
    const wanted = [
      ...[[`generations/${id}/fail-and-refund`, `Fail and refund ${cost} credits`]],
      ...[[`generations/${id}/take-down`, 'Take down 0 files of red@example.com']],
      ...[[`accounts/${account.accountId}/revoke-key?key=${account.keyId}`, `Revoke ${keyName}`]],
      ...[[`accounts/${account.accountId}/erase`, 'Erase red@example.com']],
    ];
    for (const [path, label] of wanted) {
      const { html } = await admin.get(`/staff/${path}`);
      const button = /<button class="danger">\s*([^<]+?)\s*<\/button>/.exec(html)?.[1];
      expect(button).toBe(label);
      expect(html).toContain('<b>red@example.com</b>');
    }
    const { html } = await admin.get(`/staff/generations/${id}/fail-and-refund`);
    const lines = [...html.matchAll(/<dt>([^<]+)<\/dt>\s*<dd>([^]*?)<\/dd>/g)];
    const told = Object.fromEntries(
      lines.map(([, name = '', value = '']): [string, string] => [
        name,
        value.replaceAll(/<[^>]+>/g, ''),
      ]),
    );
    expect(told).toMatchObject({
      Charged: `${cost} credits`,
      Model: 'alpha-2.0-mini, text-to-video',
      Status: expect.stringMatching(/^processing for [\d.]+ /),
    });
    // Reversible actions have no red button.
    const { html: goodwill } = await admin.get(`/staff/accounts/${account.accountId}/goodwill`);
    expect(goodwill).not.toContain('class="danger"');
    // A second admin confirms an erasure by the same text.
    await admin.get(`/staff/accounts/${account.accountId}/erase`);
    const fields = { reason: 'asked', confirm: account.accountId };
    await admin.send(`/staff/accounts/${account.accountId}/erase`, fields);
    expect((await admin.get('/staff/proposals')).html).toMatch(
      /<button class="danger">\s*Approve: erase account of red@example.com/,
    );
  });

  test('a host requested by a replaced key can be decided, but not one of a revoked key', async () => {
    const account = await gateway.addAccount();
    const { database, clock } = gateway;
    const ask = (rule: string, revokedAt: number) =>
      database.changeAccount(account.accountId, (before) => ({
        after: {
          ...before,
          keys: before.keys.map((key) => ({
            ...key,
            revokedAt,
            hosts: [{ rule, state: 'requested' as const }],
          })),
        },
        result: undefined,
      }));
    await ask('dying.example.com', clock.now() + hourMs);
    expect((await support.get('/staff/hosts')).html).toContain('dying.example.com');
    await ask('dead.example.com', clock.now() - 1000);
    expect((await support.get('/staff/hosts')).html).not.toContain('dead.example.com');
  });

  test('a generation names the person who made it at the site', async () => {
    const account = await gateway.addAccount();
    const id = await createVideo(account, 'made by somebody');
    const { collections } = gateway;
    const shown = async (madeBy: string) => {
      await collections.generations.updateOne({ _id: id }, { $set: { madeBy } });
      const { html } = await support.get(`/staff/generations/${id}`);
      return /<dt>Created by<\/dt>\s*<dd>([^]*?)<\/dd>/.exec(html)?.[1];
    };
    const { html } = await support.get(`/staff/generations/${id}`);
    expect(html).not.toContain('<dt>Created by');
    const own = await shown(account.accountId);
    expect(own).toContain(`href="/staff/accounts/${account.accountId}"`);
    expect(own).not.toContain('no longer');
    expect(await shown('acct_left')).toMatch(/acct_left[^]*, no longer in the team/);
  });

  test('the search box leads to the named records', async () => {
    const account = await gateway.addAccount();
    const id = await createVideo(account, 'find me');
    await support.get('/staff');
    const search = (q: string) => support.send('/staff/search', { q });
    expect((await search(id)).location).toBe(`/staff/generations/${id}`);
    expect((await search(account.apiKey)).location).toBe(`/staff/accounts/${account.accountId}`);
    expect((await search('<script>alert(1)</script>')).status).toBe(404);
    expect((await support.get('/staff/generations/gen_nothing')).status).toBe(404);
    expect((await support.get('/staff/accounts/acct_nothing')).status).toBe(404);
  });

  test('overview, hosts, unknown outcomes and audit log', async () => {
    const account = await gateway.addAccount();
    const { database } = gateway;
    const hosts = [{ rule: 'wanted.example.com', state: 'requested' as const }];
    await database.changeAccount(account.accountId, (before) => ({
      after: { ...before, keys: before.keys.map((key) => ({ ...key, hosts })) },
      result: undefined,
    }));
    ark.script({ prompt: 'response lost', on: 'submit', fault: { kind: 'drop' } });
    const lost = await createVideo(account, 'response lost');
    await account.untilEnded(lost);
    await account.untilEnded(await createVideo(account, 'went well'));
    expect((await support.get('/staff/hosts')).html).toContain('wanted.example.com');
    expect((await support.get('/staff/unknown')).html).toContain(lost);
    // Its figures are read every few seconds.
    await until(async () => (await support.get('/staff')).html.includes('ark upstream-model'));
    const { html } = await support.get('/staff');
    for (const word of ['<svg', 'refunds today', 'queue lag', 'in service', 'since the last']) {
      expect([word, html.includes(word)]).toEqual([word, true]);
    }
    const act = async (path: string, fields: Record<string, string>) => {
      await admin.get(path);
      expect((await admin.send(path, { reason: 'a test', ...fields })).status).toBe(303);
    };
    const failed = await runningVideo({ gateway, ark }, account, 'failed by staff');
    await act(`/staff/generations/${failed}/fail-and-refund`, { confirm: failed });
    await act(`/staff/accounts/${account.accountId}/goodwill`, { amount: '10' });
    const audit = await support.get('/staff/audit?term=fail%20and%20refund');
    expect(audit.html).toContain('fail and refund');
    expect(audit.html).not.toContain('goodwill');
  });

  test('emails that were not delivered are shown, without their text', async () => {
    const { mails } = gateway.collections;
    const at = new Date();
    const mail = {
      to: 'eve@example.com',
      subject: 'Your code',
      attempts: 3,
      problem: 'EENVELOPE 550',
    };
    const times = { createdAt: at, validUntil: at, goneAt: new Date(Date.now() + minuteMs) };
    await mails.insertOne({ _id: 'mail_1', ...mail, ...times, givenUpAt: at });
    const { html } = await support.get('/staff/mails');
    for (const word of ['eve@example.com', 'EENVELOPE 550', 'given up']) {
      expect([word, html.includes(word)]).toEqual([word, true]);
    }
    await mails.deleteMany({});
    expect((await support.get('/staff/mails')).html).toContain('Everything was delivered.');
  });

  test.each([
    ['a model whose circuit is open', 'ark upstream-model', 'ark: upstream-model'],
    ['a budget that is spent', 'budget: ark 1000000000 USD', 'ark: the day&#39;s budget is spent'],
  ])('%s has a line below its provider', async (_, key, line) => {
    const { breakers } = gateway.collections;
    const isShown = async () => (await support.get('/staff')).html.includes(line);
    expect(await isShown()).toBe(false);
    const now = new Date();
    const none = new Date(0);
    const closed = {
      failures: 5,
      openedAt: now,
      openUntil: now,
      busyUntil: none,
      version: 1,
      reason: null,
      identical: null,
    };
    await breakers.insertOne({ _id: key, ...closed });
    await until(isShown);
    await breakers.deleteOne({ _id: key });
    await until(async () => !(await isShown()));
  });

  test('jobs of upkeep stand apart from those of generations', async () => {
    const [ofUpkeep, others] = await Promise.all([
      support.get('/staff/jobs?kind=upkeep'),
      support.get('/staff/jobs'),
    ]);
    expect(ofUpkeep.html).toContain('upkeep.heal');
    expect(others.html).not.toContain('upkeep.');
  });

  test('the jobs lead from a generation to its job and back', async () => {
    const account = await gateway.addAccount();
    const id = await runningVideo({ gateway, ark }, account, 'of a job');
    const { jobs } = gateway.collections;
    const jobId = String((await jobs.findOne({ 'data.generationId': id }))?._id);
    await jobs.updateOne({ 'data.generationId': id }, { $set: { disabled: true } });
    for (const query of [`q=${id}`, `q=${jobId}`, 'name=generation.run&state=scheduled']) {
      const list = await support.get(`/staff/jobs?${query}`);
      expect([query, list.status]).toEqual([query, 200]);
      expect(list.html).toContain(`/staff/jobs/${jobId}`);
      expect(list.html).toContain(`/staff/generations/${id}/poll-now`);
    }
    expect((await support.get('/staff/jobs?name=other')).html).toContain('No jobs.');
    const job = await support.get(`/staff/jobs/${jobId}`);
    expect(job.status).toBe(200);
    for (const said of [
      'generation.run',
      'paused',
      `/staff/generations/${id}`,
      account.accountId,
    ]) {
      expect(job.html).toContain(said);
    }
    expect(job.html).not.toContain('of a job');
    for (const unknown of ['0'.repeat(24), id, 'x']) {
      expect((await support.get(`/staff/jobs/${unknown}`)).status).toBe(404);
    }
  });

  test('none is shown without a sign-in', async () => {
    const stranger = openBrowser(gateway.origin);
    const paths = ['/staff', '/staff/hosts', '/staff/unknown', '/staff/audit'];
    paths.push('/staff/mails');
    paths.push('/staff/jobs', '/staff/jobs/j', '/staff/generations/gen_x', '/staff/accounts/a');
    for (const path of paths) {
      const { status, location } = await stranger.get(path);
      expect([path, status, location?.split('?')[0]]).toEqual([path, 303, '/staff/sign-in']);
    }
  });
});
