import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffRights, type StaffAction } from '../../gateway/src/domain/staffRights.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { enrolStaff, openBrowser, type Browser } from './browse.ts';
import { createVideo, ledgerProblems, runningVideo } from './staffFixtures.ts';

let ark: FakeArk;
let folder: string;
let gateway: TestGateway;
let support: Browser;
let admin: Browser;

beforeAll(async () => {
  ark = await startFakeArk();
  folder = await mkdtemp(join(tmpdir(), 'framegate-staff-'));
  const budget = { currency: 'USD', perDay: 1000 };
  const cost = { currency: 'USD', perCall: 0.01 };
  const provider = { maxConcurrent: 1000, budget };
  gateway = await startTestGateway(await arkRoutes(folder, ark, provider, { cost }));
  support = (await enrolStaff(gateway, 'support')).browser;
  admin = (await enrolStaff(gateway, 'admin')).browser;
});

afterAll(async () => {
  await gateway.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

const stored = (id: string) =>
  gateway.gateway.database.collections.generations.findOne({ _id: id });

describe('the role matrix', () => {
  /** Where each action is, and what its form is given. */
  const forms: Partial<Record<StaffAction, { at: string; fields: Record<string, string> }>> = {
    'look now': { at: 'generations/look-now', fields: {} },
    'retry download': { at: 'generations/retry-download', fields: {} },
    'resolve unknown': { at: 'generations/resolve-unknown', fields: { found: 'no' } },
    'fail and refund': { at: 'generations/fail-and-refund', fields: {} },
    'take down': { at: 'generations/take-down', fields: {} },
    'goodwill credits': { at: 'accounts/goodwill', fields: { amount: '10' } },
    'grant credits': { at: 'accounts/grant', fields: { amount: '10', kind: 'purchased' } },
    'adjust credits': { at: 'accounts/adjust', fields: { amount: '-10' } },
    'approve host': { at: 'accounts/approve-host', fields: { host: 'a.example.com' } },
    'refuse host': { at: 'accounts/refuse-host', fields: { host: 'a.example.com' } },
    'revoke key': { at: 'accounts/revoke-key', fields: {} },
    'change limits': { at: 'accounts/limits', fields: { running: '7' } },
    'suspend account': { at: 'accounts/suspend', fields: {} },
    'resume account': { at: 'accounts/resume', fields: {} },
    'erase account': { at: 'accounts/erase', fields: {} },
    'reveal prompt': { at: 'generations/reveal', fields: {} },
  };

  test('has a form for every action', () => {
    const byForm = Object.keys(staffRights).filter(
      (action) => !/^(sign|enrol|see|refuse proposal|invite)/.test(action),
    );
    expect(Object.keys(forms).sort()).toEqual(byForm.sort());
  });

  for (const [action, form] of Object.entries(forms)) {
    for (const role of ['nobody', 'support', 'admin'] as const) {
      const may = role !== 'nobody' && staffRights[action as StaffAction].includes(role);

      test(`${role} ${may ? 'may' : 'may not'} ${action}`, async () => {
        const account = await gateway.addAccount({ hosts: ['a.example.com'] });
        const ended = action === 'take down' || action === 'erase account';
        const id = ended
          ? await createVideo(account, `${action} ${role}`)
          : await runningVideo({ gateway, ark }, account, `${action} ${role}`);
        if (ended) await account.untilEnded(id);
        if (action === 'resolve unknown') {
          const update = { $set: { step: 'submitting', 'attempts.0.outcome': 'open' } };
          await gateway.gateway.database.collections.generations.updateOne({ _id: id }, update);
        }
        if (action === 'retry download') {
          const update = { $set: { 'attempts.0.finishedAt': new Date() } };
          await gateway.gateway.database.collections.generations.updateOne({ _id: id }, update);
        }
        const [kind, slug] = form.at.split('/');
        const target = kind === 'accounts' ? account.accountId : id;
        const browser = { nobody: openBrowser(gateway.origin), support, admin }[role];
        const path = `/staff/${String(kind)}/${target}/${String(slug)}`;
        await browser.get(role === 'nobody' ? '/staff/sign-in' : path.replace(/\/reveal$/, ''));
        const { status, html } = await browser.send(path, {
          ...{ reason: 'a test', key: account.keyId, confirm: target },
          ...form.fields,
        });
        const done = action === 'reveal prompt' ? 200 : 303;
        const refused = role === 'nobody' ? 401 : 403;
        const words = /role="alert">([^<]*)/.exec(html)?.[1] ?? '';
        expect([status, words]).toEqual([may ? done : refused, may ? '' : expect.any(String)]);
        const audit = await gateway.gateway.database.collections.staffAudit
          .find({ terms: target })
          .toArray();
        const outcomes = audit.map((entry) => [entry['action'], entry['outcome']]);
        const written = role === 'nobody' ? [] : [[action, may ? 'done' : 'refused']];
        expect(outcomes).toEqual(written);
      });
    }
  }

  test('left every credit where it belongs', async () => {
    expect(await ledgerProblems(gateway)).toEqual([]);
  });
});

describe('forged requests', () => {
  test('are refused, whatever they bring along', async () => {
    const account = await gateway.addAccount();
    const path = `/staff/accounts/${account.accountId}/suspend`;
    await admin.get(path);
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    const sameSite = { 'sec-fetch-site': 'same-site' };
    const fields = { reason: 'forged' };
    expect((await admin.send(path, fields, crossSite)).status).toBe(400);
    expect((await admin.send(path, fields, sameSite)).status).toBe(400);
    expect((await admin.send(path, { ...fields, form_token: 'x' })).status).toBe(403);
    const foreign = { 'sec-fetch-site': '', origin: 'https://evil.example' };
    expect((await admin.send(path, fields, foreign)).status).toBe(400);
    const { status } = await gateway.gateway.database.database.accounts
      .find(account.accountId)
      .then((found) => ({ status: found?.status }));
    expect(status).toBe('active');
  });

  test('do nothing to jobs either', async () => {
    const account = await gateway.addAccount();
    const id = await runningVideo({ gateway, ark }, account, 'forged job');
    const jobs = gateway.gateway.database.collections.jobs;
    const job = await jobs.findOne({ 'data.generationId': id });
    const body = JSON.stringify({ jobIds: [String(job?._id)] });
    const json = { 'content-type': 'application/json' };
    const retry = '/staff/jobs/api/jobs/retry';
    const send = (headers: Record<string, string>, text = body) =>
      admin.fetch(retry, { method: 'POST', body: text, headers });
    expect((await send({ ...json, 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(form, `jobIds[]=${String(job?._id)}`)).status).toBe(415);
    expect((await send({ ...form, 'sec-fetch-site': 'cross-site' }, 'jobIds[]=1')).status).toBe(
      400,
    );
    expect((await send(json)).status).toBe(200);
  });

  test('a form is acted upon once', async () => {
    const account = await gateway.addAccount({ credits: 0 });
    const path = `/staff/accounts/${account.accountId}/goodwill`;
    const { html } = await support.get(path);
    const formId = /name="form_id" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const fields = { amount: '10', reason: 'twice', form_id: formId };
    expect((await support.send(path, fields)).status).toBe(303);
    expect((await support.send(path, fields)).status).toBe(409);
    const { json } = await account.get('/v1/credits/balance');
    expect(json['available']).toBe(10);
  });
});

describe('the pages', () => {
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
    // Where a browser puts the focus.
    expect(none.html).toContain('tabindex="-1" autofocus role="alert"');
    const revealed = await support.send(`${page}/reveal`, { reason: 'the customer asked' });
    expect(revealed.html).toContain('nobody reads this');
    expect(revealed.html).toContain('the customer asked');
  });

  test('what cannot be undone is asked for with customer, credits, model and age, by a red button', async () => {
    const account = await gateway.addAccount({ email: 'red@example.com' });
    const id = await runningVideo({ gateway, ark }, account, 'to be failed');
    const cost = Number((await stored(id))?.['costCredits']);
    const key = (await gateway.gateway.database.database.accounts.find(account.accountId))?.keys[0];
    const keyName = `${String(key?.name)} …${String(key?.lastFour)}`;
    const wanted = [
      ...[[`generations/${id}/fail-and-refund`, `Fail and refund ${cost} credits`]],
      ...[[`generations/${id}/take-down`, 'Take 0 file(s) of red@example.com down']],
      ...[[`accounts/${account.accountId}/revoke-key?key=${account.keyId}`, `Revoke ${keyName}`]],
      ...[[`accounts/${account.accountId}/erase`, 'Erase red@example.com']],
    ];
    for (const [path, label] of wanted) {
      const { html } = await admin.get(`/staff/${String(path)}`);
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
      ...{ Charged: `${cost} credits`, Model: 'alpha-2.0-mini, text-to-video' },
      State: expect.stringMatching(/^processing for [\d.]+ /),
    });
    // What can be undone has no red button.
    const { html: goodwill } = await admin.get(`/staff/accounts/${account.accountId}/goodwill`);
    expect(goodwill).not.toContain('class="danger"');
    // A second admin confirms an erasure by the same words.
    await admin.get(`/staff/accounts/${account.accountId}/erase`);
    const fields = { reason: 'asked', confirm: account.accountId };
    await admin.send(`/staff/accounts/${account.accountId}/erase`, fields);
    expect((await admin.get('/staff/proposals')).html).toMatch(
      /<button class="danger">\s*Confirm: erase account of red@example.com/,
    );
  });

  test('a host that a replaced key still asks for can be decided, one of a revoked key not', async () => {
    const account = await gateway.addAccount();
    const { database, clock } = gateway.gateway.database;
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
    await ask('dying.example.com', clock.now() + 3_600_000);
    expect((await support.get('/staff/hosts')).html).toContain('dying.example.com');
    await ask('dead.example.com', clock.now() - 1000);
    expect((await support.get('/staff/hosts')).html).not.toContain('dead.example.com');
  });

  test('the search box leads to what it names', async () => {
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
    const { database } = gateway.gateway.database;
    const hosts = [{ rule: 'wanted.example.com', state: 'requested' as const }];
    await database.changeAccount(account.accountId, (before) => ({
      after: { ...before, keys: before.keys.map((key) => ({ ...key, hosts })) },
      result: undefined,
    }));
    ark.script({ prompt: 'answer lost', on: 'submit', fault: { kind: 'drop' } });
    const lost = await createVideo(account, 'answer lost');
    await account.untilEnded(lost);
    expect((await support.get('/staff/hosts')).html).toContain('wanted.example.com');
    expect((await support.get('/staff/unknown')).html).toContain(lost);
    const { html } = await support.get('/staff');
    for (const word of [
      ...['<svg', 'refunds today', 'queue lag', 'in service', 'ark upstream-model'],
      'since the last upkeep',
    ]) {
      expect([word, html.includes(word)]).toEqual([word, true]);
    }
    const audit = await support.get('/staff/audit?term=fail%20and%20refund');
    expect(audit.html).toContain('fail and refund');
    expect(audit.html).not.toContain('goodwill');
  });

  test('mails that were not delivered are shown, without their text', async () => {
    const { mails } = gateway.gateway.database.collections;
    const at = new Date();
    const mail = {
      to: 'eve@example.com',
      subject: 'Your code',
      tries: 3,
      problem: 'EENVELOPE 550',
    };
    const times = { createdAt: at, validUntil: at, goneAt: new Date(Date.now() + 60_000) };
    await mails.insertOne({ _id: 'mail_1', ...mail, ...times, givenUpAt: at });
    const { html } = await support.get('/staff/mails');
    for (const word of ['eve@example.com', 'EENVELOPE 550', 'given up']) {
      expect([word, html.includes(word)]).toEqual([word, true]);
    }
    await mails.deleteMany({});
    expect((await support.get('/staff/mails')).html).toContain('Everything was delivered.');
  });

  test.each([
    ['a model that is closed off', 'ark upstream-model', 'ark: upstream-model'],
    ['a budget that is spent', 'budget: ark 1000000000 USD', 'ark: the day&#39;s budget is spent'],
  ])('%s has a line below its provider', async (_, key, line) => {
    const { breakers } = gateway.gateway.database.collections;
    const isShown = async () => (await support.get('/staff')).html.includes(line);
    expect(await isShown()).toBe(false);
    const now = new Date();
    const none = new Date(0);
    const closed = { failures: 5, closedOffAt: now, restsUntil: now, busyUntil: none, version: 1 };
    await breakers.insertOne({ _id: key, ...closed });
    await until(isShown);
    await breakers.deleteOne({ _id: key });
    await until(async () => !(await isShown()));
  });

  test("Agendash finds a generation's job, and can only look now", async () => {
    const account = await gateway.addAccount();
    const id = await runningVideo({ gateway, ark }, account, 'in agendash');
    const list = await support.get(`/staff/jobs?q=${id}`);
    expect([list.status, list.html.includes(`/staff/generations/${id}/look-now`)]).toEqual([
      200,
      true,
    ]);
    const index = await support.fetch('/staff/jobs/');
    const html = await index.text();
    expect([index.status, html.includes('/staff/jobs.js')]).toEqual([200, true]);
    const script = /src="\.\/(assets\/[^"]+)"/.exec(html)?.[1] ?? '';
    expect((await support.fetch(`/staff/jobs/${script}`)).status).toBe(200);
    const ask = async (query: string) => {
      const answer = await support.fetch(`/staff/jobs/api${query}`);
      return (await answer.json()) as {
        total: number;
        jobs: { job: { _id: string; data: { generationId?: string } } }[];
        overview: { displayName: string; total: number }[];
      };
    };
    const found = await ask(`?q=${id}`);
    expect(found.jobs.map(({ job }) => job.data.generationId)).toEqual([id]);
    const all = await ask('?state=scheduled&job=generation.run');
    expect(all.jobs.some(({ job }) => job.data.generationId === id)).toBe(true);
    expect(all.overview.map(({ displayName }) => displayName)).toContain('generation.run');
    const post = async (path: string, body: object) =>
      admin.fetch(`/staff/jobs/api/jobs/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const jobIds = found.jobs.map(({ job }) => job._id);
    for (const action of ['requeue', 'delete', 'pause', 'resume', 'create']) {
      expect([action, (await post(action, { jobIds })).status]).toEqual([action, 403]);
    }
    expect((await post('retry', { jobIds })).status).toBe(200);
    expect((await post('retry', { jobIds: ['0'.repeat(24)] })).status).toBe(409);
    const timeline = (await stored(id))?.['timeline'] as { what: string }[];
    expect(timeline.filter(({ what }) => what.startsWith('staff: look now'))).toHaveLength(1);
    expect(
      await gateway.gateway.database.collections.jobs.countDocuments({ 'data.generationId': id }),
    ).toBe(1);
  });

  test('none is shown without a sign-in', async () => {
    const stranger = openBrowser(gateway.origin);
    const paths = ['/staff', '/staff/live', '/staff/hosts', '/staff/unknown', '/staff/audit'];
    paths.push('/staff/mails');
    paths.push('/staff/jobs/', '/staff/jobs/api', '/staff/generations/gen_x', '/staff/accounts/a');
    for (const path of paths) {
      const { status, location } = await stranger.get(path);
      expect([path, status, location?.split('?')[0]]).toEqual([path, 303, '/staff/sign-in']);
    }
    expect(gateway.errors.filter((line) => !line.includes('unknown outcome'))).toEqual([]);
  });
});
