import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleHost } from '../../gateway/src/adapters/media/sampleHost.ts';
import { grantCredits } from '../../gateway/src/application/accounts/grantCredits.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Page, type Visitor } from './support/visitor.ts';

let bed: TestGateway;
let visitor: Visitor;
let accountId: string;

beforeAll(async () => {
  bed = await startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '600' });
  visitor = createVisitor(bed.origin);
  await signUpVerified(visitor, bed.dataDir, 'studio@example.com', 'correct horse battery');
  const { database } = bed.gateway.database;
  accountId = (await database.accounts.findByEmail('studio@example.com'))?.id ?? '';
});
afterAll(async () => {
  await bed.stop();
  expect(bed.errors).toEqual([]);
});

const priceOn = (page: Page) =>
  Number(/<strong>([\d,]+) credits/.exec(page.text)?.[1] ?? Number.NaN);
const update = (fields: Record<string, string>) =>
  visitor.post('/studio', { do: 'update', ...fields });

/** What a page's form sends beside what was typed. */
const sent = (form: Page) => ({
  form_key: form.field('form_key'),
  shown_credits: form.field('shown_credits'),
});

async function create(fields: Record<string, string>): Promise<Page> {
  const form = await update(fields);
  return visitor.post('/studio', { ...sent(form), do: 'create', ...fields });
}

/** The page of the generation that the studio shows. */
const pageOf = (made: Page) =>
  visitor.get(made.path.replace('/studio?generation=', '/generations/'));

describe('the form', () => {
  test('follows the model and the mode, and says the price', async () => {
    const first = await visitor.get('/studio');
    expect(first.text).toContain('name="model" value="alpha-2.0-fast" checked');
    expect(priceOn(first)).toBe(50);
    expect(first.text).toMatch(/>\s*Create video · 50 credits\s*<\/button>/);
    const beta = await update({ model: 'beta-3.0', mode: 'multimodal-to-video', prompt: 'kept' });
    expect(beta.text).not.toContain('multimodal-to-video');
    expect(beta.text).toContain('value="2160p"');
    expect(beta.text).toContain('kept</textarea>');
    expect(beta.text).not.toContain('real_person_mode');
    const sound = await update({
      model: 'beta-3.0',
      'parameters.duration_seconds': '7',
      'parameters.resolution': '2160p',
      'parameters.generate_audio': 'true',
    });
    expect(priceOn(sound)).toBe(525);
    const image = await update({ model: 'image-b-pro', 'parameters.n': '3' });
    expect(priceOn(image)).toBe(36);
    expect(image.text).toContain('name="parameters.output_format"');
    expect(image.text).not.toContain('duration_seconds');
  });

  test('all that is wrong is told at once, by the name of its field and in the bounds of the model', async () => {
    const page = await create({
      ...{ model: 'alpha-2.0-fast', mode: 'text-to-video', prompt: 'x'.repeat(4001) },
      'parameters.duration_seconds': '3',
      'parameters.seed': '0',
    });
    expect(page.status).toBe(400);
    const summary = /id="problems"[^]*?<\/div>/.exec(page.text)?.[0] ?? '';
    const links = [...summary.matchAll(/<a href="#([^"]+)">([^<]+)</g)].map(([, ...link]) => link);
    expect(links).toEqual(
      expect.arrayContaining([
        ['field-prompt', expect.stringMatching(/^Prompt: Use at most [\d,]+ characters/)],
        ['field-parameters-duration-seconds', 'Seconds: Must be a whole number from 4 to 15.'],
        ['field-parameters-seed', expect.stringMatching(/^Seed: /)],
      ]),
    );
    expect(links).toHaveLength(3);
    expect(page.field('parameters.seed')).toBe('0');
    // Where a browser puts the focus, with and without the script.
    expect(page.text).toMatch(/id="problems" tabindex="-1" autofocus/);
  });

  test('an input on a host that no key has is refused at its own field', async () => {
    const page = await create({
      model: 'alpha-2.0-fast',
      mode: 'multimodal-to-video',
      prompt: 'x',
      image_2: 'https://else.example/a.png',
    });
    expect(page.status).toBe(403);
    expect(page.text).toMatch(/id="field-image-2-problem">None of your API keys has else\.example/);
  });

  test('a sample picture fills the first empty place, and works', async () => {
    const fields = { model: 'alpha-2.0-fast', mode: 'image-to-video', prompt: 'drift' };
    const filled = await visitor.post('/studio', { do: 'sample:balloons.jpg', ...fields });
    const url = `https://${sampleHost}/balloons.jpg`;
    expect(filled.field('first_frame')).toBe(url);
    const made = await create({ ...fields, first_frame: url });
    expect(made.path).toMatch(/^\/studio\?generation=gen_/);
    const [, address = ''] = /src="(\/site\/samples\/[^"]+)"/.exec(filled.text) ?? [];
    const picture = await fetch(bed.origin + address);
    expect(picture.headers.get('content-type')).toBe('image/webp');
    const { format, width } = await sharp(await picture.bytes()).metadata();
    expect([format, width]).toEqual(['webp', 320]);
  });

  test('real-person mode asks for the rights and the consent', async () => {
    const fields = {
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      prompt: 'a portrait',
      first_frame: `https://${sampleHost}/balloons.jpg`,
      'parameters.real_person_mode': 'true',
    };
    const asked = await create(fields);
    expect(asked.status).toBe(422);
    expect(asked.text).toContain('id="rights-problem"');
    expect(asked.text).toContain('id="field-compliance-consent-reference-problem"');
    const made = await create({
      ...fields,
      'compliance.rights_confirmed': 'true',
      'compliance.consent_reference': 'release/42',
    });
    expect((await pageOf(made)).text).toContain('release/42');
  });

  test('what costs too much is said in credits, and nothing is charged', async () => {
    const { database } = bed.gateway.database;
    const before = (await database.accounts.find(accountId))?.lots;
    const page = await create({
      model: 'alpha-2.5',
      mode: 'text-to-video',
      prompt: 'x',
      'parameters.duration_seconds': '15',
      'parameters.resolution': '1080p',
      'parameters.generate_audio': 'true',
    });
    expect(page.status).toBe(402);
    expect(page.text).toMatch(/This costs 675 credits, and you have \d+\./);
    expect((await database.accounts.find(accountId))?.lots).toEqual(before);
    expect(priceOn(page)).toBe(675);
  });
});

describe('creating', () => {
  test('what the page did not show is not charged: it asks again, and takes the price it showed', async () => {
    const balance = async () =>
      /([\d,]+) credits available/.exec((await visitor.get('/credits')).text)?.[1];
    const before = await balance();
    // Fifteen seconds are typed and sent at once: the page still says what five cost.
    const page = await visitor.get('/studio');
    const fields = {
      ...{ model: 'alpha-2.0-fast', mode: 'text-to-video', prompt: 'long' },
      'parameters.duration_seconds': '15',
    };
    for (const shown of [sent(page), { ...sent(page), shown_credits: '' }]) {
      const asked = await visitor.post('/studio', { ...shown, ...fields, do: 'create' });
      expect([asked.status, asked.path, priceOn(asked)]).toEqual([400, '/studio', 150]);
      expect(asked.text).toContain('This costs 150 credits, which the page did not show');
      expect([asked.field('shown_credits'), asked.field('parameters.duration_seconds')]).toEqual([
        ...['150', '15'],
      ]);
      expect(await balance()).toBe(before);
    }
    const again = await visitor.post('/studio', { ...fields, do: 'update' });
    const made = await visitor.post('/studio', { ...sent(again), ...fields, do: 'create' });
    expect(made.path).toMatch(/^\/studio\?generation=gen_/);
  });

  test('a form sent twice makes one generation; changed and sent again, another', async () => {
    const form = await update({ model: 'image-b-2' });
    const fields = {
      ...sent(form),
      do: 'create',
      model: 'image-b-2',
      prompt: 'once',
    };
    const pages = await Promise.all([
      visitor.post('/studio', fields),
      visitor.post('/studio', fields),
      visitor.post('/studio', fields),
    ]);
    expect(new Set(pages.map(({ path }) => path)).size).toBe(1);
    const other = await visitor.post('/studio', { ...fields, prompt: 'twice' });
    expect(other.path).toMatch(/^\/studio\?generation=/);
    expect(other.path).not.toBe(pages[0].path);
  });

  test('its page shows state, cost, who made it and the request id; strangers see nothing', async () => {
    const page = await pageOf(await create({ model: 'image-b-2', prompt: '<b>"bold"</b>' }));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Waiting');
    expect(page.text).toContain('6 credits');
    expect(page.text).toContain('this site');
    expect(page.text).toMatch(/<code>req_[0-9a-z]{26}<\/code>/);
    expect(page.text).toContain('&lt;b&gt;&quot;bold&quot;&lt;/b&gt;');
    expect(page.text).toContain('http-equiv="refresh"');
    const progress = JSON.parse((await visitor.get(`${page.path}/progress`)).text) as object;
    expect(progress).toMatchObject({ status: 'queued', retry_after_seconds: expect.any(Number) });
    const stranger = createVisitor(bed.origin);
    await signUpVerified(stranger, bed.dataDir, 'stranger@example.com', 'correct horse battery');
    expect((await stranger.get(page.path)).status).toBe(404);
    expect((await stranger.get(`${page.path}/progress`)).status).toBe(404);
    expect((await stranger.get(`/studio?like=${page.path.slice(13)}`)).text).not.toContain('bold');
    expect((await visitor.get(`/studio?like=${page.path.slice(13)}`)).text).toContain('bold');
  });

  test('the studio shows it beside the form, which keeps what made it', async () => {
    const owner = createVisitor(bed.origin);
    await signUpVerified(owner, bed.dataDir, 'other@example.com', 'correct horse battery');
    const fields = { model: 'image-b-2', prompt: 'shown', 'parameters.n': '2' };
    await owner.get('/studio');
    const form = await owner.post('/studio', { ...fields, do: 'update' });
    const made = await owner.post('/studio', { ...sent(form), ...fields, do: 'create' });
    const stage = (page: Page) =>
      /<section class="stage"[^]*<\/section>/.exec(page.text)?.[0] ?? '';
    expect(stage(made)).toContain('data-progress="/generations/gen_');
    expect(made.text).toContain('<title>Waiting: Studio');
    expect(made.text).toContain('http-equiv="refresh"');
    expect([made.field('parameters.n'), made.text]).toEqual([
      ...['2', expect.stringContaining('shown</textarea>')],
    ]);
    // Without the script the next options come with the same result, and nothing that is typed is lost.
    const generation = made.field('generation');
    const next = await owner.post('/studio', { ...fields, prompt: 'next', generation });
    expect(stage(next)).toContain(generation);
    expect(next.text).not.toContain('http-equiv="refresh"');
    const theirs = await visitor.get(made.path);
    expect([stage(theirs), theirs.text]).toEqual(['', expect.not.stringContaining('shown</')]);
  });

  test('API and site share one history and one ledger', async () => {
    const api = await bed.addAccount();
    const made = await api.post('/v1/images', { model: 'image-b-2', prompt: 'by the api' });
    const { accounts } = bed.gateway.database.collections;
    // Whoever has the key's account signs in to it with a password of their own.
    const hash = (await accounts.findOne({ _id: accountId }))?.['passwordHash'];
    const email = (await accounts.findOne({ _id: api.accountId }))?.['email'] as string;
    await accounts.updateOne({ _id: api.accountId }, { $set: { passwordHash: hash } });
    const owner = createVisitor(bed.origin);
    await owner.get('/sign-in');
    await owner.post('/sign-in', { email, password: 'correct horse battery' });
    await owner.get('/studio');
    const fields = { model: 'image-b-2', prompt: 'by the site' };
    const form = await owner.post('/studio', { ...fields, do: 'update' });
    await owner.post('/studio', { ...fields, ...sent(form), do: 'create' });
    const history = await owner.get('/history');
    expect(history.text).toContain('made by key “test”');
    expect(history.text).toContain('made by this site');
    const ledger = await owner.get('/credits');
    expect(ledger.text).toContain(`/generations/${String(made.json['id'])}`);
    expect(ledger.text.match(/−6</g)).toHaveLength(2);
    const csv = await owner.get('/credits/ledger.csv');
    expect(csv.text.trim().split('\r\n')).toHaveLength(4);
    expect(csv.text).toContain(`,charge,-6,${String(made.json['id'])},`);
  });

  test('long lists are paged from the newest back', async () => {
    const { database, clock } = bed.gateway.database;
    const deps = { database, clock, random: bed.gateway.random };
    const grant = { accountId, kind: 'promotional', expiresAt: null } as const;
    for (let count = 1; count <= 30; count += 1) {
      await grantCredits(deps, { ...grant, amountCredits: count, reason: `=gift ${count}` });
    }
    const first = await visitor.get('/credits');
    const older = /href="(\/credits\?before=\d+)"/.exec(first.text)?.[1] ?? '';
    const numbers = [...(first.text + (await visitor.get(older)).text).matchAll(/no\. (\d+)/g)];
    const seen = numbers.map(([, number]) => Number(number));
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(new Set(seen).size).toBe(seen.length);
    const csv = (await visitor.get('/credits/ledger.csv')).text.trim().split('\r\n').slice(1);
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
    const page = await (path === '/sign-up' ? createVisitor(bed.origin) : visitor).get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const csp = page.headers.get('content-security-policy') ?? '';
    expect(csp).toContain("default-src 'none'");
    expect(csp).not.toContain('unsafe');
    expect(page.text).not.toMatch(
      /<script(?! src="\/site\/site\.js" defer><\/script>)|style=|\son\w+=/,
    );
    expect(page.text).not.toContain('undefined');
  });
});
