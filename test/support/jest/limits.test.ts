import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectRoot, runNode } from '../runNode.ts';

let rootDir: string;
beforeAll(async () => {
  rootDir = await mkdtemp(join(tmpdir(), 'framegate-limits-'));
});
afterAll(() => rm(rootDir, { recursive: true }));

test('a test that exceeds its limit ends its file: later tests fail immediately, and hooks clean up', async () => {
  const file = join(rootDir, 'hangs.js');
  const source = [
    "import { afterAll, beforeEach, test } from '@jest/globals';",
    "const say = (text) => process.stderr.write(text + '\\n');",
    "beforeEach(() => say('before each'));",
    "afterAll(() => say('cleaned up'));",
    "test('hangs', () => new Promise(() => undefined), 200);",
    "test('comes later', () => say('was run'));",
  ];
  await writeFile(file, source.join('\n'));
  await writeFile(join(rootDir, 'package.json'), '{ "type": "module" }');
  const own = (name: string) => join(projectRoot, 'test/support/jest', name);
  const config = {
    rootDir,
    runner: [fileURLToPath(import.meta.resolve('jest-light-runner')), { runtime: 'child_process' }],
    transform: {},
    testMatch: ['**/hangs.js'],
    setupFiles: [own('resolveModules.ts')],
    setupFilesAfterEnv: [own('limits.ts')],
  };
  const jest = join(projectRoot, 'node_modules/jest/bin/jest.js');
  const { status, stderr } = await runNode([jest, '--config', JSON.stringify(config)]);
  expect(status).toBe(1);
  expect(stderr).toContain('hangs: took more than 200 ms');
  expect(stderr).toContain('not run, because it may still run: hangs');
  expect(stderr.match(/before each|was run|cleaned up/gm)).toEqual(['before each', 'cleaned up']);
});
