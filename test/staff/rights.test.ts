import { beforeAll, describe, expect, test } from '@jest/globals';
import { Router } from '@koa/router';
import { requestCredits } from '../../gateway/src/domain/accounts/creditRequest.ts';
import { recordErasureRequest } from '../../gateway/src/domain/accounts/erasureRequest.ts';
import {
  mayDo,
  type StaffAction,
  staffRights,
} from '../../gateway/src/domain/staff/staffRights.ts';
import type { StaffState } from '../../gateway/src/http/staff/context.ts';
import { needs, requireActions } from '../../gateway/src/http/staff/needs.ts';
import type { FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { type Browser, openBrowser } from './browse.ts';
import { useConsole } from './consoleWorld.ts';
import { createVideo, ledgerProblems, runningVideo } from './staffFixtures.ts';

const world = useConsole();
let ark: FakeArk;
let gateway: TestGateway;
let viewer: Browser;
let support: Browser;
let admin: Browser;
beforeAll(() => {
  ({ ark, gateway, viewer, support, admin } = world());
});

describe('the role matrix', () => {
  /** The path of each action, and the fields of its form. */
  const forms: Partial<Record<StaffAction, { at: string; fields: Record<string, string> }>> = {
    'poll now': { at: 'generations/poll-now', fields: {} },
    'retry download': { at: 'generations/retry-download', fields: {} },
    'resolve unknown': { at: 'generations/resolve-unknown', fields: { found: 'no' } },
    'fail and refund': { at: 'generations/fail-and-refund', fields: {} },
    'take down': { at: 'generations/take-down', fields: {} },
    'goodwill credits': { at: 'accounts/goodwill', fields: { amount: '10' } },
    'mail customer': { at: 'accounts/mail', fields: { template: 'troubleOver' } },
    'add note': { at: 'accounts/note', fields: {} },
    'grant credits': { at: 'accounts/grant', fields: { amount: '10', kind: 'purchased' } },
    'adjust credits': { at: 'accounts/adjust', fields: { amount: '-10' } },
    'approve host': { at: 'accounts/approve-host', fields: { host: 'a.example.com' } },
    'refuse host': { at: 'accounts/refuse-host', fields: { host: 'a.example.com' } },
    'revoke key': { at: 'accounts/revoke-key', fields: {} },
    'end sessions': { at: 'accounts/end-sessions', fields: {} },
    'change limits': { at: 'accounts/limits', fields: { running: '7' } },
    'remove second factor': { at: 'accounts/remove-second-factor', fields: {} },
    'suspend account': { at: 'accounts/suspend', fields: {} },
    'resume account': { at: 'accounts/resume', fields: {} },
    'withdraw erasure': { at: 'accounts/withdraw-erasure', fields: {} },
    'decline credits': { at: 'accounts/decline-credits', fields: {} },
    'erase account': { at: 'accounts/erase', fields: {} },
    'reveal prompt': { at: 'generations/reveal', fields: {} },
  };

  test('has a form for every action', () => {
    const byForm = Object.keys(staffRights).filter(
      (action) =>
        !/^(sign|enrol|undo goodwill|(add|remove) passkey|see|deliver refused|refuse proposal|confirm proposal|invite|end staff|revoke invitation|sell again|pause route|end pause|stop selling)/.test(
          action,
        ),
    );
    expect(Object.keys(forms).toSorted()).toEqual(byForm.toSorted());
  });

  const roles = ['nobody', 'viewer', 'support', 'admin'] as const;
  /** An account with a generation for each test, by its action and role; they are made together, because they wait. */
  const targets = new Map<string, { account: TestAccount; id: string }>();
  beforeAll(async () => {
    const pairs = Object.keys(forms).flatMap((action) =>
      roles.map((role) => [action, `${action} ${role}`] as const),
    );
    await Promise.all(
      pairs.map(async ([action, name]) => {
        const account = await gateway.addAccount({ hosts: ['a.example.com'] });
        const ended = action === 'take down' || action === 'erase account';
        const id = ended
          ? await createVideo(account, name)
          : await runningVideo({ gateway, ark }, account, name);
        if (ended) await account.untilEnded(id);
        targets.set(name, { account, id });
      }),
    );
  });

  for (const [action, form] of Object.entries(forms)) {
    for (const role of roles) {
      const may = role !== 'nobody' && mayDo(role, action as StaffAction);

      test(`${role} ${may ? 'may' : 'may not'} ${action}`, async () => {
        const made = targets.get(`${action} ${role}`);
        if (!made) throw new Error('nothing was made for it');
        const { account, id } = made;
        if (action === 'resolve unknown') {
          const update = { $set: { step: 'submitting', 'attempts.0.outcome': 'open' } } as const;
          await gateway.collections.generations.updateOne({ _id: id }, update);
        }
        if (action === 'remove second factor') {
          const { customerFactors } = gateway.collections;
          const factor = { secret: '1:x', lastStep: 0, recoveryHashes: [], enabledAt: new Date() };
          await customerFactors.insertOne({ _id: account.accountId, ...factor });
        }
        if (action === 'withdraw erasure') {
          const { database } = gateway;
          const by = { keyId: 'opk_1', name: 'shop' };
          await database.changeAccount(account.accountId, (before) => ({
            after: recordErasureRequest(before, Date.now(), by),
            result: undefined,
          }));
        }
        if (action === 'decline credits') {
          const request = { by: account.accountId, message: '' };
          await gateway.database.changeAccount(account.accountId, (before) => ({
            after: requestCredits(before, request, Date.now()),
            result: undefined,
          }));
        }
        if (action === 'retry download') {
          const update = { $set: { 'attempts.0.finishedAt': new Date() } };
          await gateway.collections.generations.updateOne({ _id: id }, update);
        }
        const [kind, slug] = form.at.split('/');
        const target = kind === 'accounts' ? account.accountId : id;
        const browser = { nobody: openBrowser(gateway.origin), viewer, support, admin }[role];
        const path = `/staff/${kind}/${target}/${slug}`;
        await browser.get(role === 'nobody' ? '/staff/sign-in' : path.replace(/\/reveal$/, ''));
        const { status, html } = await browser.send(path, {
          reason: 'a test',
          key: account.keyId,
          confirm: target,
          ...form.fields,
        });
        const done = action === 'reveal prompt' ? 200 : 303;
        const refused = role === 'nobody' ? 401 : 403;
        const words = /role="alert">([^<]*)/.exec(html)?.[1] ?? '';
        expect([status, words]).toEqual([may ? done : refused, may ? '' : expect.any(String)]);
        const audit = await gateway.collections.staffAudit.find({ terms: target }).toArray();
        const outcomes = audit.map((entry) => [entry['action'], entry['outcome']]);
        const written = role === 'nobody' ? [] : [[action, may ? 'done' : 'refused']];
        expect(outcomes).toEqual(written);
      });
    }
  }

  test('keeps every credit in place', async () => {
    expect(await ledgerProblems(gateway)).toEqual([]);
  });
});

describe('a viewer', () => {
  test('sees every page of the console, and no button that changes anything', async () => {
    const { html } = await viewer.get('/staff');
    const pages = [...html.matchAll(/href="(\/staff[\w/-]*)"/g)].map(([, path = '']) => path);
    expect(pages).toContain('/staff/costs');
    expect(pages).toContain('/staff/audit');
    for (const path of new Set(pages)) {
      const page = await viewer.get(path);
      const forms = [...page.html.matchAll(/<form[^>]*action="([^"]+)"[^>]*method="post"/g)];
      const others = forms.map(([, to]) => to).filter((to) => !/search|sign-out/.test(to ?? ''));
      expect([path, page.status, others]).toEqual([path, 200, []]);
      expect([path, page.html.includes('/poll-now')]).toEqual([path, false]);
    }
  });
});

test('a route that does not name its required act prevents the start', () => {
  const router = new Router<StaffState>();
  router.get('/staff/named', needs('see'), () => undefined);
  expect(() => requireActions(router)).not.toThrow();
  router.post('/staff/forgotten', () => undefined);
  expect(() => requireActions(router)).toThrow('/staff/forgotten');
});

describe('forged requests', () => {
  test('are refused, whatever they contain', async () => {
    const account = await gateway.addAccount();
    const path = `/staff/accounts/${account.accountId}/suspend`;
    await admin.get(path);
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    const sameSite = { 'sec-fetch-site': 'same-site' };
    const fields = { reason: 'forged' };
    expect((await admin.send(path, fields, crossSite)).status).toBe(403);
    expect((await admin.send(path, fields, sameSite)).status).toBe(403);
    expect((await admin.send(path, { ...fields, form_token: 'x' })).status).toBe(403);
    const foreign = { 'sec-fetch-site': '', origin: 'https://evil.example' };
    expect((await admin.send(path, fields, foreign)).status).toBe(403);
    const { status } = await gateway.database.accounts
      .find(account.accountId)
      .then((found) => ({ status: found?.status }));
    expect(status).toBe('active');
  });

  test('take effect once per form', async () => {
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
