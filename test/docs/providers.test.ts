import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { catalogue } from '@framegate/contract';
import {
  createRoutes,
  type OpenRoutes,
} from '../../gateway/src/adapters/providers/createRoutes.ts';
import { parseRoutesFile } from '../../gateway/src/adapters/providers/routesFile.ts';
import { collectLog } from '../support/mongod.ts';
import { supportRow } from './supportRow.ts';

const docs = new URL('../../docs/', import.meta.url);
const page = readFileSync(new URL('providers.md', docs), 'utf8').replace(/ +/g, ' ');
const files = readdirSync(new URL('providers/', docs)).filter((name) => name.endsWith('.json'));
const opened: OpenRoutes[] = [];

afterAll(async () => {
  for (const routes of opened) await routes.close();
});

async function open(name: string) {
  const text = readFileSync(new URL(`providers/${name}`, docs), 'utf8');
  const keys = new Proxy({}, { get: () => 'a-key' });
  const file = parseRoutesFile(JSON.parse(text), keys, catalogue);
  const never = () => {
    throw new Error('nothing is rendered here');
  };
  const preview = { videoModel: () => ({ doStart: 1, doStatus: 1 }) as never, imageModel: never };
  const routes = await createRoutes({ file, preview, log: collectLog().log });
  opened.push(routes);
  return { file, routes };
}

describe('docs/providers.md', () => {
  test.each(files)('%s starts, and the page tells what it does', async (name) => {
    expect(page).toContain(`(providers/${name})`);
    const { file, routes } = await open(name);
    const rows = [...file.models].flatMap(([id, { routes: entries }]) =>
      entries.flatMap((entry, i) => {
        const support = routes.supportsOf(id)[i];
        if (!support) throw new Error(`no route ${String(i)} for ${id}`);
        return entry.provider === 'preview' ? [] : [supportRow(id, entry, support)];
      }),
    );
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  test('names no example that is not there', () => {
    const named = [...page.matchAll(/\(providers\/([\w.]+)\)/g)].map(([, name]) => name);
    expect([...new Set(named)].sort()).toEqual(files.sort());
  });
});
