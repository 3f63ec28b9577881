import { expect, test } from '@jest/globals';
import { catalogue } from '@framegate/contract';
import { withGroupPrice } from './catalogue.ts';
import { catalogueChanges } from './catalogueChanges.ts';

const builtIn = { models: catalogue, groups: {} };
const half = { factor: { numerator: 1, denominator: 2 } };

test('nothing changes between equal catalogues', () => {
  expect(catalogueChanges(builtIn, builtIn)).toEqual([]);
});

test('changed fields are named by their paths, for groups only prices', () => {
  const models = catalogue.map((model) =>
    model.id === 'image-a-2'
      ? { ...withGroupPrice(model, { credits: { '2k': 20 } }), displayName: 'A' }
      : model,
  );
  const after = { models, groups: { studio: { 'image-a-2': half } } };
  expect(catalogueChanges(builtIn, after)).toEqual([
    { group: null, model: 'image-a-2', field: 'display_name', before: 'Image A 2', after: 'A' },
    { group: null, model: 'image-a-2', field: 'pricing.credits.2k', before: 16, after: 20 },
    { group: 'studio', model: 'image-a-2', field: 'pricing.credits.1k', before: 8, after: 4 },
    { group: 'studio', model: 'image-a-2', field: 'pricing.credits.2k', before: 16, after: 10 },
  ]);
});

test('new and removed models are listed', () => {
  const [first] = catalogue;
  expect(catalogueChanges({ ...builtIn, models: catalogue.slice(1) }, builtIn)).toEqual([
    { group: null, model: first?.id, field: '', before: false, after: true },
  ]);
});
