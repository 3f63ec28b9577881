import { expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { createCatalogueStore } from '../../gateway/src/adapters/mongo/catalogue/catalogueStore.ts';
import { useConsole } from './consoleWorld.ts';

const world = useConsole();

test('the prices page shows current models with their sources, and each version with its changes and publisher', async () => {
  const { gateway, viewer } = world();
  const { collections, clock } = gateway;
  const store = createCatalogueStore(collections);
  const [first] = await store.listPage(null, 1);
  const [model, ...others] = first?.models ?? [];
  if (!first || model?.type !== 'video') throw new Error('no video model is sold first');
  const raised = { ...model, creditsPerSecond: { ...model.creditsPerSecond, '720p': 99 } };
  const from = clock.now() + hourMs;
  const next = { ...first, models: [raised, ...others], number: 2, hash: 'next', from };
  await store.insert({ ...next, isOperators: true, publishedBy: 'gateway-7' }, 0);

  const { html } = await viewer.get('/staff/prices');
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const was = String(model.creditsPerSecond['720p']);
  expect(text).toMatch(
    new RegExp(`Sold now .*? ${model.id} .*?720p ${was} .*?built in .*? second`),
  );
  expect(text).toMatch(
    new RegExp(
      `2 [-\\d: ]+ upcoming ${model.id} pricing\\.credits\\.720p : ${was} → 99 MODELS_FILE .* gateway-7 1 the start in effect`,
    ),
  );
});
