import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CatalogueVersion } from '../domain/catalogue/catalogue.ts';
import { type Figure, placesOf } from '../domain/catalogue/catalogueFile.ts';
import { readCatalogueFile } from './catalogueFile.ts';
import { type ConfiguredCatalogue, rereadCatalogue } from './fileSettings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-prices-'));
});
afterAll(() => rm(folder, { recursive: true }));

type FileSetting = 'MODELS_FILE' | 'PRICES_FILE';

async function written(
  setting: FileSetting,
  name: string,
  text: string,
): Promise<ConfiguredCatalogue> {
  const path = join(folder, name);
  await writeFile(path, text);
  const catalogue = { models: [], groups: {} };
  return rereadCatalogue({ catalogue, from: null, file: { setting, path } });
}

/** The second version of the catalogue, as published from the settings. */
const published = ({ catalogue }: ConfiguredCatalogue): CatalogueVersion => ({
  ...catalogue,
  number: 2,
  hash: '',
  isOperators: true,
  from: 0,
  publishedAt: 0,
  publishedBy: 'gateway-7',
});

const price = (model: string, resolution: string, group: string | null = null): Figure => ({
  group,
  model,
  field: `pricing.credits.${resolution}`,
});

test('each figure names the line of MODELS_FILE that sets it, including the factor of a group', async () => {
  const models = `{
  "models": {
    "alpha-2.5": {
      "pricing": { "credits": {
        "720p": 20
      } }
    }
  },
  "groups": {
    "studio": {
      "*": { "factor": { "numerator": 1, "denominator": 2 } },
      "alpha-2.5": {
        "credits": { "480p": 3,
          "720p": 4 }
      }
    }
  }
}`;
  const configured = await written('MODELS_FILE', 'models.json', models);
  const placeOf = placesOf(published(configured), readCatalogueFile(configured));
  expect([
    placeOf(price('alpha-2.5', '720p')),
    placeOf(price('alpha-2.5', '480p')),
    placeOf(price('alpha-2.5', '480p', 'studio')),
    placeOf(price('alpha-2.5', '720p', 'studio')),
    placeOf(price('beta-3.0', '720p', 'studio')),
  ]).toEqual(['models.json:5', 'built in', 'models.json:13', 'models.json:14', 'models.json:11']);
});

test('each figure names the line of PRICES_FILE, and the present value if the file has changed', async () => {
  const before = await written('PRICES_FILE', 'prices.json', '{"beta-3.0":\n{"720p": 30}}');
  const version = published(before);
  expect(placesOf(version, readCatalogueFile(before))(price('beta-3.0', '720p'))).toBe(
    'prices.json:2',
  );
  const after = '{"beta-3.0":\n\n{"720p": 31}, "alpha-2.5":\n{"720p": 9}}';
  await written('PRICES_FILE', 'prices.json', after);
  const placeOf = placesOf(version, readCatalogueFile(before));
  expect([placeOf(price('beta-3.0', '720p')), placeOf(price('alpha-2.5', '720p'))]).toEqual([
    'version 2; prices.json:3 has 31 now',
    'version 2; prices.json:4 has 9 now',
  ]);
});

test('a file that cannot be used has a problem, and the figures name their version', async () => {
  const configured = await written('PRICES_FILE', 'prices.json', '{}');
  await writeFile(join(folder, 'prices.json'), '{ "beta-3.0": 7 }');
  const file = readCatalogueFile(configured);
  expect(file).toEqual({
    name: 'prices.json',
    problem: expect.stringContaining('prices.json:1: ["beta-3.0"] must be'),
  });
  expect(placesOf(published(configured), file)(price('beta-3.0', '720p'))).toBe('version 2');
});
