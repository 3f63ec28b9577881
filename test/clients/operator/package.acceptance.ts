import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useOperatorWorld } from '../../operator/support/operatorWorld.ts';
import { projectRoot } from '../../support/runNode.ts';
import { loadedBy, packInto, samplesIn } from '../typescript/packed.ts';

/* The package as npm would serve it: its files, and every program of its README. */

const run = promisify(execFile);
const source = join(projectRoot, 'integrations/operator');
const programs = await samplesIn('js', source);
const { world, operator } = useOperatorWorld();
let folder: string;
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-operator-'));
  installed = await packInto(folder, source);
});
afterAll(() => rm(folder, { recursive: true }));

test('holds only the necessary files, and loads no Node APIs', async () => {
  const names = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'];
  expect((await readdir(installed)).toSorted()).toEqual(names);
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as object;
  expect(manifest).not.toHaveProperty('dependencies');
  const loaded = [...(await loadedBy(join(installed, 'dist/index.js')))];
  expect(loaded.filter((file) => !file.startsWith(installed))).toEqual([]);
});

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
  ['commonjs', 'node10'],
])('has types for %s/%s without those of Node', async (module, moduleResolution) => {
  const sample = join(folder, 'consumer.ts');
  await writeFile(
    sample,
    `import { FramegateOperator, type Account, type Event } from '@framegate/operator';
     export async function work(operator: FramegateOperator, see: (event: Event) => void) {
       const account: Account = await operator.upsertAccount('1', { email: 'a@example.com' });
       // @ts-expect-error an unknown kind
       await operator.grantCredits(account.id, { amount: 1, kind: 'gift' });
       for await (const { data, next } of operator.followEvents()) { data.forEach(see); next.length; }
     }`,
  );
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom'];
  const how = ['--module', module, '--moduleResolution', moduleResolution];
  const { stdout } = await run(process.execPath, [tsc, ...options, ...how, sample], {
    cwd: folder,
  });
  expect(stdout).toBe('');
});

test.each(programs.map((code, index) => [index + 1, code] as const))(
  'program %i of the README',
  async (index, code) => {
    const file = join(folder, `sample${index}.mjs`);
    await writeFile(file, code);
    const env = {
      PATH: process.env['PATH'] ?? '',
      FRAMEGATE_OPERATOR_URL: `${world.origin}/operator/v1`,
      FRAMEGATE_OPERATOR_KEY: operator.operatorKey,
    };
    const { stderr } = await run(process.execPath, [file], { cwd: folder, env });
    expect(stderr).toBe('');
  },
);
