import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runNode } from '../support/runNode.ts';
import { connectAdmin, type AdminTest } from './connect.ts';

/* How quickly a command starts depends on the modules that Node loads for it: they are counted. */

let admin: AdminTest;
beforeAll(async () => {
  admin = await connectAdmin();
});
afterAll(() => admin.close());

/** Counts the modules loaded from files, our own and those of installed packages. */
const counter = `
  import { registerHooks } from 'node:module';
  const counts = { own: 0, others: 0 };
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) counts[url.includes('/node_modules/') ? 'others' : 'own'] += 1;
      return next(url, context);
    },
  });
  process.once('exit', () => process.stderr.write(JSON.stringify(counts)));
`;

async function modulesOf(line: string) {
  const preloaded = `data:text/javascript,${encodeURIComponent(counter)}`;
  const ended = await runNode(['--import', preloaded, 'gateway/src/admin.ts', ...line.split(' ')], {
    MONGODB_URI: admin.uri,
  });
  expect(ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/\S/) });
  return JSON.parse(ended.stderr) as { own: number; others: number };
}

test.each([
  ['--help', 46, 5],
  ['account list', 156, 515],
])('%s loads at most %d modules of the gateway and %d of packages', async (line, own, others) => {
  const counts = await modulesOf(line);
  expect([counts, counts.own <= own, counts.others <= others]).toEqual([counts, true, true]);
});
