import { beforeAll, describe, expect, test } from '@jest/globals';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { video } from '../support/bodies.ts';
import { requests } from '../support/gateway.ts';
import { type KeyPages, path, rowOf, shownKey, useKeyPages } from './support/useKeyPages.ts';

const pages = useKeyPages();
let { gateway, visitor, createKey, rotate, account, keyOf, signUpThief } = {} as KeyPages;
beforeAll(async () => {
  ({ gateway, visitor, createKey, rotate, account, keyOf, signUpThief } = pages());
  const { database, clock } = gateway;
  const grant = { accountId: (await account()).id, amountCredits: 10_000 };
  await grantCredits(
    { database, clock, random: gateway.random },
    { ...grant, kind: 'purchased', expiresAt: null, reason: null },
  );
});

describe('a daily credit limit', () => {
  /** Costs between 26 and 50 credits: one of them fits into a limit of 50. */
  const create = (apiKey: string) =>
    requests(gateway.origin, apiKey).post('/v1/videos', video({ model: 'alpha-2.0-fast' }));
  const limit = async (name: string, daily_credits: string) => {
    const { id } = await keyOf(name);
    await visitor.get(path);
    return visitor.post(`${path}/keys/${id}/limit`, { daily_credits });
  };

  test('is set with the key, changed by its owner, and applies from the next create', async () => {
    const apiKey = shownKey(await createKey({ name: 'bounded', daily_credits: '50' }));
    expect(rowOf(await visitor.get(path), 'bounded')).toContain('0 of 50');
    expect((await create(apiKey)).status).toBe(202);
    const refused = await create(apiKey);
    expect([refused.status, refused.json['error']]).toMatchObject([
      402,
      { code: 'key_limit_reached' },
    ]);
    const raised = await limit('bounded', ' 1,000 ');
    expect(raised.text).toContain('can now spend 1,000 credits per day');
    expect(rowOf(await visitor.get(path), 'bounded')).toMatch(/max="1000"[^]*\d\d of 1,000/);
    expect((await create(apiKey)).status).toBe(202);
    await limit('bounded', '1');
    expect((await create(apiKey)).status).toBe(402);
    expect((await limit('bounded', '')).text).toContain('no longer has a daily limit');
    expect(await keyOf('bounded')).not.toHaveProperty('dailyCredits');
    expect((await create(apiKey)).status).toBe(202);
  });

  test.each(['0', '-5', '1.5', 'many', '1,00', '9999999999999'])('is not %s', async (typed) => {
    const made = await createKey({ name: 'never made', daily_credits: typed });
    expect(made.status).toBe(400);
    expect(made.text).toContain('id="field-dailyCredits-problem"');
    expect(made.text).toContain(`name="daily_credits" type="text" value="${typed}"`);
    const changed = await limit('bounded', typed);
    expect(changed.status).toBe(400);
    expect(changed.text).toContain('Enter a whole number of credits');
    expect(changed.text).toContain(`value="${typed}"`);
    expect(await keyOf('bounded')).not.toHaveProperty('dailyCredits');
  });

  test('passes to a replacement key, and only its owner can change it', async () => {
    await createKey({ name: 'passed on', daily_credits: '70' });
    const { id } = await keyOf('passed on');
    const thief = await signUpThief('raiser@example.com');
    const raised = await thief.post(`${path}/keys/${id}/limit`, { daily_credits: '100000' });
    expect(raised.text).not.toContain('100,000');
    expect((await rotate(id, '0')).text).not.toContain('Old key');
    const keys = (await account()).keys.filter(({ name }) => name === 'passed on');
    expect(keys.map(({ dailyCredits }) => dailyCredits)).toEqual([70, 70]);
    await visitor.get(path);
    const gone = await visitor.post(`${path}/keys/${id}/limit`, { daily_credits: '5' });
    expect(gone.status).toBe(409);
  });
});
