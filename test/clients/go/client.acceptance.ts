import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { goClient } from '../../../scripts/targets/goClient.ts';
import { commandsPlayedBy } from '../../docs/playedCommands.ts';
import { copyTracked } from '../../install/installCopy.ts';
import type { TestAccount } from '../../support/gateway.ts';
import { projectRoot } from '../../support/runNode.ts';
import { mustRun } from '../../support/runProgram.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';

/* The Go module, against a real gateway. */

const folder = join(projectRoot, 'integrations/go');
let world: ClientWorld;
let account: TestAccount;
let env: Record<string, string>;

beforeAll(async () => {
  await mustRun('go', ['version']).catch((cause: unknown) => {
    throw new Error('These tests need Go 1.26 or newer.', { cause });
  });
  world = await startClientWorld();
  world.ark.script({ prompt: 'It shall fail', on: 'task', plan: { polls: 1, end: 'failed' } });
  account = await world.addAccount({ credits: 1000 });
  env = {
    FRAMEGATE_URL: world.baseUrl,
    FRAMEGATE_KEY: account.apiKey,
    GOTOOLCHAIN: 'local',
    GOFLAGS: '-mod=readonly',
  };
});

afterAll(() => world.stop());

const go = (...args: string[]) => mustRun('go', args, { cwd: folder, env });

test('is formatted and tidy, and vet finds nothing', async () => {
  expect(await mustRun('gofmt', ['-l', '.'], { cwd: folder, env })).toBe('');
  await go('mod', 'tidy', '-diff');
  await go('vet', '-tags', 'gateway', './...');
});

test('has the API as the generator makes it now', async () => {
  const file = await readFile(join(projectRoot, goClient.file), 'utf8');
  // Comparing the texts directly would print them.
  expect(goClient.content('') === file).toBe(true);
});

test('passes its tests against the gateway, and pays once for repeated calls', async () => {
  const creates = { method: 'POST', path: '/v1/videos', body: 'A paper boat' };
  world.line.disturb({ ...creates, cut: true, forwarded: true });
  world.line.disturb({ ...creates, response: { status: 200, body: '<html>Sign in</html>' } });
  const reads = { method: 'GET', path: '/v1/generations/' };
  world.line.disturb({ ...reads, response: { status: 200, body: '<html>Sign in</html>' } });
  const spent = await world.spentBy(account, async () => {
    const output = await go('test', '-count=1', '-v', '-tags', 'gateway', './...');
    expect(output).not.toMatch(/--- SKIP/);
  });
  // A video and two images; the failure is refunded.
  expect(spent).toBe(50 + 12);
});

test('runs as the README shows, twice and paid once', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [, sample = ''] = /```go\n(.*?)```/s.exec(readme) ?? [];
  const place = join(world.folder, 'readme');
  await mkdir(place);
  await writeFile(join(place, 'main.go'), sample);
  await copyTracked(join(place, 'framegate-go'), folder);
  const install = commandsPlayedBy(
    'test/clients/go/client.acceptance.ts',
    'integrations/go/README.md',
  );
  const inModule = ['go mod init example.com/sample', ...install].join('\n');
  await mustRun('sh', ['-euc', inModule], { cwd: place, env });
  await mustRun('go', ['build', '-o', 'sample', '.'], { cwd: place, env });
  const spent = await world.spentBy(account, async () => {
    for (const time of ['first', 'second']) {
      const file = join(place, time);
      await mkdir(file);
      await mustRun(join(place, 'sample'), [], { cwd: file, env });
      expect((await readFile(join(file, 'boat.mp4'))).subarray(4, 8).toString()).toBe('ftyp');
    }
  });
  expect(spent).toBe(25);
});
