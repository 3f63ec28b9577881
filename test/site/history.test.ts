import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { searchesPerMinute } from '../../gateway/src/application/wall/listWork.ts';
import { requests, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

let gateway: TestGateway;
let visitor: Visitor;
let accountId = '';
const ids: string[] = [];
/** More than one page of a search examines. */
const stored = 1_100;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, 'ada@example.com');
  const { database, clock, collections } = gateway;
  const { random } = gateway;
  accountId = (await database.accounts.findByEmail('ada@example.com'))?.id ?? '';
  await grantCredits(
    { database, clock, random },
    {
      accountId,
      amountCredits: 1_000,
      kind: 'purchased' as const,
      expiresAt: Date.now() + 5 * dayMs,
      reason: null,
    },
  );
  const form = await visitor.get('/settings/public-api');
  const fields = { form_key: form.field('form_key'), name: 'n8n', models: 'image-b-2' };
  const made = await visitor.post('/settings/public-api/keys', fields);
  const api = requests(gateway.origin, /value="(fg_live_\w+)"/.exec(made.text)?.[1] ?? '');
  const create = async (prompt: string) =>
    String((await api.post('/v1/images', { model: 'image-b-2', prompt })).json['id']);
  for (const prompt of ['A paper boat (small)', 'A lighthouse', 'An old harbour']) {
    ids.push(await create(prompt));
  }
  const { generations } = collections;
  await generations.updateOne(
    { _id: ids[1] ?? '' },
    { $set: { status: 'failed', step: 'ended', model: 'image-a-2', refundedCredits: 6 } },
  );
  // Newer ones that do not match the search.
  const first = await generations.findOne({ _id: ids[0] ?? '' });
  const copies = Array.from({ length: stored }, () => ({
    ...first,
    _id: random.newId('gen'),
    prompt: 'noise',
    replay: null,
    channel: 'pc',
    keyId: null,
  }));
  await plain(generations).insertMany(copies);
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

/** The ids of the first generations that a page lists. */
const listed = (text: string) =>
  [...text.matchAll(/class="what" id="(gen_\w+)"/g)]
    .map(([, id]) => ids.indexOf(id ?? ''))
    .filter((index) => index >= 0);

/** Follows "Older" from a URL to the end. */
async function pagesFrom(address: string): Promise<{ found: number[]; pages: number }> {
  const found: number[] = [];
  let pages = 0;
  for (let next: string | undefined = address; next !== undefined && pages < 9; pages += 1) {
    const { text } = await visitor.get(next);
    found.push(...listed(text));
    next = /<a href="([^"]+)" rel="next"\s*>Older</.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return { found, pages };
}

describe('a filtered history', () => {
  test.each([
    ['words of the prompt, in any case and as they are typed', 'q=BOAT+(s', [0]],
    ['words of the prompt in any order', 'q=(s+boat', [0]],
    ['state', 'state=failed', [1]],
    ['model', 'model=image-a-2', [1]],
    ['maker', 'by=api', [2, 1, 0]],
    ['day and state', `day=${today}&state=failed`, [1]],
    ['a query without matches', 'q=no+such+words', []],
  ])('by %s', async (_, query, expected) => {
    const { found, pages } = await pagesFrom(`/history?${query}`);
    expect(found).toEqual(expected);
    expect(pages).toBe(2);
  });

  test('is empty for a day without generations, and opens the page of an id', async () => {
    expect((await visitor.get('/history?day=2020-01-01')).text).toContain('No matches.');
    // Redirects that are not 303 are not followed by this visitor.
    expect((await visitor.get(`/history?q=${ids[2]}`)).path).toBe(`/generations/${ids[2]}`);
  });

  test('reads only its window, by the index of the history', async () => {
    const { db } = gateway;
    const read = await profile(db, ['generations'], () => visitor.get('/history?q=lighthouse'));
    expect(read.length).toBeGreaterThan(0);
    for (const { plan, documents, keys } of read) {
      expect([plan, /COLLSCAN/.test(plan)]).toEqual([plan, false]);
      expect(documents).toBeLessThanOrEqual(1_000);
      expect(keys).toBeLessThanOrEqual(1_001);
    }
  });
});

describe('a search for words', () => {
  test('is limited to twenty a minute, while other pages stay readable', async () => {
    let status = 200;
    for (let searches = 0; searches <= searchesPerMinute && status === 200; searches += 1) {
      ({ status } = await visitor.get('/history?q=lighthouse'));
    }
    expect(status).toBe(429);
    expect((await visitor.get('/history?state=failed')).status).toBe(200);
  });
});

describe('credits', () => {
  test('show spending by model and by key, expiries, and prompts in the ledger', async () => {
    const byModel = (await visitor.get('/credits')).text;
    // The failed one does not count; each copy costs as much as the first one.
    expect(byModel).toContain(`Image B 2 ${((stored + 2) * 6).toLocaleString('en-US')}`);
    expect(byModel).toContain('expire within 30 days');
    expect(byModel).toMatch(/href="\/generations\/gen_\w+">A lighthouse</);
    expect((await visitor.get('/credits?by=key')).text).toContain('n8n 12<');
  });

  test('the CSV has model, key and the balance after each entry', async () => {
    const lines = (await visitor.get('/credits/ledger.csv')).text.trim().split('\r\n');
    expect(lines[0]).toBe(
      'number,time,kind,credits,generation,lots,reason,request,model,key,balance,person',
    );
    const cells = lines.slice(1).map((line) => line.split(','));
    expect(cells.map((each) => each.at(-2))).toEqual(['1000', '994', '988', '982']);
    expect(cells[1]?.at(-4)).toBe('image-b-2');
    expect(cells[1]?.at(-3)).toMatch(/^key_/);
  });
});
