import { describe, expect, test } from '@jest/globals';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { password, signUpVerified } from './support/signUpVerified.ts';
import { priceOn, sent, useStudio } from './support/useStudio.ts';
import { createVisitor, type Page } from './support/visitor.ts';

const studio = useStudio();

describe('creating', () => {
  test('asks again about a price that the page did not show, and charges the shown price', async () => {
    const balance = async () =>
      /([\d,]+) credits available/.exec((await studio().visitor.get('/credits')).text)?.[1];
    const before = await balance();
    // Fifteen seconds are typed and sent at once: the page still shows the price of five.
    const page = await studio().visitor.get('/studio');
    const fields = {
      model: 'alpha-2.0-fast',
      mode: 'text-to-video',
      prompt: 'long',
      'parameters.duration_seconds': '15',
    };
    for (const shown of [sent(page), { ...sent(page), shown_credits: '' }]) {
      const asked = await studio().visitor.post('/studio', { ...shown, ...fields, do: 'create' });
      expect([asked.status, asked.path, priceOn(asked)]).toEqual([409, '/studio', 150]);
      expect(asked.text).toContain('This costs 150 credits, a different price');
      expect([asked.field('shown_credits'), asked.field('parameters.duration_seconds')]).toEqual([
        ...['150', '15'],
      ]);
      expect(await balance()).toBe(before);
    }
    const again = await studio().visitor.post('/studio', { ...fields, do: 'update' });
    const made = await studio().visitor.post('/studio', {
      ...sent(again),
      ...fields,
      do: 'create',
    });
    expect(made.path).toMatch(/^\/studio\?generation=gen_/);
  });

  test('makes one generation from a form sent twice, and another from a changed form', async () => {
    const form = await studio().update({ model: 'image-b-2' });
    const fields = {
      ...sent(form),
      do: 'create',
      model: 'image-b-2',
      prompt: 'once',
    };
    const pages = await Promise.all([
      studio().visitor.post('/studio', fields),
      studio().visitor.post('/studio', fields),
      studio().visitor.post('/studio', fields),
    ]);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(1);
    const other = await studio().visitor.post('/studio', { ...fields, prompt: 'twice' });
    expect(other.path).toMatch(/^\/studio\?generation=/);
    expect(other.path).not.toBe(pages[0].path);
  });

  test('shows status, cost, maker and request id on its page, and nothing to strangers', async () => {
    const page = await studio().pageOf(
      await studio().create({ model: 'image-b-2', prompt: '<b>"bold"</b>' }),
    );
    expect(page.status).toBe(200);
    expect(page.text).toContain('Waiting');
    expect(page.text).toContain('6 credits');
    expect(page.text).toContain('Studio');
    expect(page.text).toMatch(/<code>req_[0-9a-z]{26}<\/code>/);
    expect(page.text).toContain('&lt;b&gt;&quot;bold&quot;&lt;/b&gt;');
    expect(page.text).toContain('http-equiv="refresh"');
    const progress = JSON.parse(
      (await studio().visitor.get(`${page.path}/progress`)).text,
    ) as object;
    expect(progress).toMatchObject({ status: 'queued', retry_after_seconds: expect.any(Number) });
    const stranger = createVisitor(studio().gateway.origin);
    await signUpVerified(stranger, studio().gateway.dataDir, 'stranger@example.com');
    expect((await stranger.get(page.path)).status).toBe(404);
    expect((await stranger.get(`${page.path}/progress`)).status).toBe(404);
    expect((await stranger.get(`/studio?like=${page.path.slice(13)}`)).text).not.toContain('bold');
    expect((await studio().visitor.get(`/studio?like=${page.path.slice(13)}`)).text).toContain(
      'bold',
    );
  });

  test('shows it on top of the feed, and keeps its request in the form', async () => {
    const owner = createVisitor(studio().gateway.origin);
    await signUpVerified(owner, studio().gateway.dataDir, 'other@example.com');
    const fields = { model: 'image-b-2', prompt: 'shown', 'parameters.n': '2' };
    await owner.get('/studio');
    const form = await owner.post('/studio', { ...fields, do: 'update' });
    const made = await owner.post('/studio', { ...sent(form), ...fields, do: 'create' });
    const feed = (page: Page) => /<ul class="feed"[^]*<\/ul>/.exec(page.text)?.[0] ?? '';
    expect(feed(made)).toContain('data-progress="/generations/gen_');
    expect(made.text).toContain('<title>Waiting: Studio');
    expect(made.text).toContain('http-equiv="refresh"');
    expect([made.field('parameters.n'), made.text]).toEqual([
      ...['2', expect.stringContaining('shown</textarea>')],
    ]);
    // Without the script, the next options appear with the same result, and no typed text is lost.
    const generation = made.field('generation');
    const next = await owner.post('/studio', { ...fields, prompt: 'next', generation });
    expect(feed(next)).toContain(generation);
    expect(next.text).not.toContain('http-equiv="refresh"');
    const theirs = await studio().visitor.get(made.path);
    expect(theirs.text).not.toContain('shown</');
    expect(feed(theirs)).not.toContain(generation);
  });

  test('shares one history and one ledger with the API', async () => {
    const api = await studio().gateway.addAccount();
    const made = await api.post('/v1/images', { model: 'image-b-2', prompt: 'by the api' });
    const { accounts } = studio().gateway.collections;
    // The owner of the key's account signs in with their own password.
    const hash = (await accounts.findOne({ _id: studio().accountId }))?.passwordHash ?? null;
    const email = (await accounts.findOne({ _id: api.accountId }))?.email ?? '';
    await accounts.updateOne({ _id: api.accountId }, { $set: { passwordHash: hash } });
    const owner = createVisitor(studio().gateway.origin);
    await owner.get('/sign-in');
    await owner.post('/sign-in', { email, password });
    await owner.get('/studio');
    const fields = { model: 'image-b-2', prompt: 'by the site' };
    const form = await owner.post('/studio', { ...fields, do: 'update' });
    await owner.post('/studio', { ...fields, ...sent(form), do: 'create' });
    const history = await owner.get('/history');
    expect(history.text).toContain('6 credits · key “test”');
    expect(history.text.match(/class="what"/g)).toHaveLength(2);
    const ledger = await owner.get('/credits');
    expect(ledger.text).toContain(`/generations/${String(made.json['id'])}`);
    expect(ledger.text.match(/−6</g)).toHaveLength(2);
    const csv = await owner.get('/credits/ledger.csv');
    expect(csv.text.trim().split('\r\n')).toHaveLength(4);
    expect(csv.text).toContain(`,charge,-6,${String(made.json['id'])},`);
  });

  test('pages long lists from the newest', async () => {
    const { database, clock } = studio().gateway;
    const deps = { database, clock, random: studio().gateway.random };
    const grant = { accountId: studio().accountId, kind: 'promotional', expiresAt: null } as const;
    for (let count = 1; count <= 30; count += 1) {
      await grantCredits(deps, { ...grant, amountCredits: count, reason: `=gift ${count}` });
    }
    const first = await studio().visitor.get('/credits');
    const older = /href="(\/credits\?before=\d+)"/.exec(first.text)?.[1] ?? '';
    const numbers = [
      ...(first.text + (await studio().visitor.get(older)).text).matchAll(/no\. (\d+)/g),
    ];
    const seen = numbers.map(([, number]) => Number(number));
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(new Set(seen).size).toBe(seen.length);
    const csv = (await studio().visitor.get('/credits/ledger.csv')).text
      .trim()
      .split('\r\n')
      .slice(1);
    expect(csv.map((line) => Number(line.split(',')[0]))).toEqual(csv.map((_, index) => index + 1));
    expect(csv.at(-1)).toContain("'=gift 30");
  });
});

describe('every page', () => {
  test.each([
    '/studio',
    '/history',
    '/credits',
    '/settings/public-api',
    '/settings/account',
    '/sign-up',
  ])('%s runs nothing inline and is not stored', async (path) => {
    const page = await (
      path === '/sign-up' ? createVisitor(studio().gateway.origin) : studio().visitor
    ).get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const csp = page.headers.get('content-security-policy') ?? '';
    expect(csp).toContain("default-src 'none'");
    expect(csp).not.toContain('unsafe');
    expect(page.text).not.toMatch(
      /<script(?! src="\/site\/(?:site|studio|wall)\.js" defer><\/script>| type="application\/json" id="texts">)|style=|\son\w+=/,
    );
    expect(page.text).not.toContain('undefined');
  });
});
