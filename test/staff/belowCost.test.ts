import { beforeAll, expect, test } from '@jest/globals';
import { runAdminHere } from '../support/runAdminHere.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { enrolStaff } from './browse.ts';

/* Prices below the cost of a valid order. */

const cost = { currency: 'USD', perSecond: 0.1, perSecondWithSound: 0.2 };
const world = useArkGateway({ route: { cost }, env: { CREDIT_VALUE: '0.01 USD' } });
let gateway: ArkGateway['gateway'];
beforeAll(() => {
  ({ gateway } = world());
});

test('the page of costs and the check of models name the order, with its figures', async () => {
  const { browser } = await enrolStaff(gateway, 'admin');
  const { html } = await browser.get('/staff/costs');
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain('Prices below cost');
  // 480p has 7 credits a second: four seconds with sound are 35 credits.
  expect(text).toMatch(
    /alpha-2\.0-pro ark upstream-model [^|]*?480p, 4 s, with sound[^|]*? 0\.35 USD 0\.80 USD -0\.45 USD/,
  );
  // 36 credits a second earn more.
  expect(text).not.toMatch(/1080p, \d+ s/);

  const ended = await runAdminHere(['models', 'check'], gateway.env);
  expect(ended).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^Prices below cost: \d+/m),
  });
  const { below_cost: found } = JSON.parse(ended.stdout) as { below_cost: object[] };
  expect(found).toContainEqual({
    model: 'alpha-2.0-pro',
    group: null,
    provider: 'ark',
    provider_model: 'upstream-model',
    order: expect.stringContaining('480p, 4 s, with sound'),
    credits: 35,
    price: '0.35 USD',
    cost: '0.80 USD',
    margin: '-0.45 USD',
  });

  const { MONGODB_URI = '' } = gateway.env;
  const unset = await runAdminHere(['models', 'check'], { MONGODB_URI });
  expect(JSON.parse(unset.stdout)).toMatchObject({ below_cost: null });
});
