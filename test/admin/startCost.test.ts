import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProcess } from '../start/gatewayProcess.ts';
import { runNode } from '../support/runNode.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

/* Each module that Node loads costs time at startup and memory afterwards, so the modules are counted. */

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

const preloaded = `data:text/javascript,${encodeURIComponent(counter)}`;

async function modulesOf(line: string) {
  const ended = await runNode(['--import', preloaded, 'gateway/src/admin.ts', ...line.split(' ')], {
    MONGODB_URI: admin.uri,
  });
  expect(ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/\S/) });
  return JSON.parse(ended.stderr) as { own: number; others: number };
}

test.each([
  ['--help', 66, 5],
  ['account list', 215, 515],
])('%s loads at most %d modules of the gateway and %d of packages', async (line, own, others) => {
  const counts = await modulesOf(line);
  expect([counts, counts.own <= own, counts.others <= others]).toEqual([counts, true, true]);
});

test("a worker loads neither pages nor a mail server's client nor a bucket's", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'framegate-worker-'));
  const worker = startProcess({
    MONGODB_URI: admin.uri,
    DATA_DIR: dataDir,
    ROLE: 'worker',
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--import ${preloaded}`,
  });
  await worker.untilRunning();
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  const counts = JSON.parse(worker.stderr()) as { own: number; others: number };
  expect([counts, counts.own <= 444, counts.others <= 830]).toEqual([counts, true, true]);
  await rm(dataDir, { recursive: true });
});
