import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arkRoutes } from '../support/arkRoutes.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { projectRoot, runNode } from '../support/runNode.ts';

let ark: FakeArk;
let gateway: TestGateway;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-docs-'));
  ark = await startFakeArk();
  gateway = await startTestGateway(await arkRoutes(folder, ark));
});

afterAll(async () => {
  await gateway.stop();
  await ark.close();
  await rm(folder, { recursive: true });
});

test('the program of docs/integrations.md makes a video once, however often it is run', async () => {
  const page = await readFile(join(projectRoot, 'docs/integrations.md'), 'utf8');
  const [, program = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  const file = join(folder, 'client.mjs');
  await writeFile(file, program);
  const { apiKey } = await gateway.addAccount({ credits: 50 });
  const env = { FRAMEGATE_URL: `${gateway.origin}/v1`, FRAMEGATE_KEY: apiKey };
  // The server's hints are meant for real providers, which take minutes.
  const hurry = 'const usual = setTimeout; globalThis.setTimeout = (f, ms) => usual(f, ms / 100);';
  const run = (order: string) =>
    runNode(['--import', `data:text/javascript,${encodeURIComponent(hurry)}`, file, order], env);
  const runs = [await run('1'), await run('1')];
  for (const { status, stdout, stderr } of runs) {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const answer = await fetch(stdout.trim());
    expect(answer.headers.get('content-type')).toBe('video/mp4');
    await answer.body?.cancel();
  }
  expect(ark.submitted()).toHaveLength(1);
  // The fifty credits are spent: another order is refused, and the program says why.
  const refused = await run('2');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('insufficient_credits: ');
});
