import { expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { createCatalogueStore } from '../../gateway/src/adapters/mongo/catalogue/catalogueStore.ts';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld();
const path = '/catalogue/versions';

test('the versions of models and prices are listed from the newest to the first, page by page', async () => {
  const { collections, clock } = world.gateway;
  const store = createCatalogueStore(collections);
  const [first] = await store.listPage(null, 1);
  if (!first) throw new Error('there is no version');
  const inAnHour = clock.now() + hourMs;
  for (const number of [2, 3]) {
    const version = { ...first, number, hash: `${number}`, from: number === 3 ? inAnHour : null };
    await store.insert(version, 0);
  }
  const seen: unknown[] = [];
  for (let after = ''; ;) {
    const { json } = await operator.get(`${path}?limit=2${after}`);
    const { data, next } = json as { data: unknown[]; next: string | null };
    seen.push(...data);
    if (next === null) break;
    after = `&after=${next}`;
  }
  expect(seen).toMatchObject([
    { version: 3, in_force: false, from: new Date(inAnHour).toISOString() },
    { version: 2, in_force: true },
    { version: 1, in_force: false, models: first.models.map(({ id }) => id), groups: [] },
  ]);
});

test('the cursor of another list is refused', async () => {
  const { json } = await operator.get('/ledger');
  const response = await operator.get(`${path}?after=${String(json['next'])}`);
  expect(errorOf(response)).toMatchObject({ status: 400, code: 'cursor_invalid' });
});
