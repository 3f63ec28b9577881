import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { catalogue, findModel, type Model } from '@framegate/contract';
import { createRoutes, type OpenRoutes } from '../../gateway/providers/src/createRoutes.ts';
import { offeredModel } from '../../gateway/providers/src/offeredModel.ts';
import { parseRoutesFile } from '../../gateway/providers/src/routesFile.ts';
import { providerNetwork as network } from '../../gateway/src/adapters/net/guardedConnector.ts';

const docs = new URL('../../docs/', import.meta.url);
const page = readFileSync(new URL('providers.md', docs), 'utf8').replace(/ +/g, ' ');
const files = readdirSync(new URL('providers/', docs)).filter((name) => name.endsWith('.json'));
const opened: OpenRoutes[] = [];

afterAll(async () => {
  for (const routes of opened) await routes.close();
});

/** A routes file, opened as a start does it, and its warnings. */
async function open(json: unknown) {
  const keys = new Proxy({}, { get: () => 'a-key' });
  const file = parseRoutesFile(json, keys, catalogue);
  const never = () => {
    throw new Error('nothing is rendered here');
  };
  const preview = { videoModel: () => ({ doStart: 1, doStatus: 1 }) as never, imageModel: never };
  const lines: object[] = [];
  const collect = (fields: object) => lines.push(fields);
  const log = { debug: collect, info: () => undefined, warn: collect, error: collect };
  const routes = await createRoutes({ file, preview, log, network, now: Date.now });
  opened.push(routes);
  return { file, routes, lines };
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`providers/${name}`, docs), 'utf8'));

describe('docs/providers.md', () => {
  test.each(files)('%s starts without a warning, and every route makes its model', async (name) => {
    expect(page).toContain(`(providers/${name})`);
    const { file, routes, lines } = await open(read(name));
    for (const id of file.models.keys()) {
      const model = findModel(id) as Model;
      for (const { support } of routes.plansOf(id)) {
        expect(offeredModel(model, [support])).not.toBeNull();
      }
    }
    expect(lines).toEqual([]);
  });

  test('names only existing examples', () => {
    const named = [...page.matchAll(/\(providers\/([\w.]+\.json)\)/g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual(files.sort());
  });
});

test('a start warns of a route to a model that is shut down, and names its replacement', async () => {
  const json = JSON.stringify(read('google.json')).replace('-pro-image', '-pro-image-preview');
  const { lines } = await open(JSON.parse(json));
  expect(lines).toEqual([
    {
      provider: 'g',
      providerModel: 'gemini-3-pro-image-preview',
      retiredOn: '2026-06-25',
      replacement: 'gemini-3-pro-image',
    },
  ]);
});
