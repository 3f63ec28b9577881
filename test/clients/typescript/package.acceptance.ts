import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hurry } from '../../support/hurry.ts';
import { projectRoot } from '../../support/runNode.ts';
import { type CompanyProxy, startCompanyProxy } from './companyProxy.ts';
import { loadedBy, samplesIn } from './packed.ts';
import { type PackedWorld, startPackedWorld } from './packedWorld.ts';

/* The package as npm would serve it: its files, and every sample of its README. */

const run = promisify(execFile);
const programs = await samplesIn('js');
const scripts = await samplesIn('sh');

let { world, installed, env } = {} as PackedWorld;
let proxy: CompanyProxy;

beforeAll(async () => {
  [{ world, installed, env }, proxy] = await Promise.all([startPackedWorld(), startCompanyProxy()]);
});
afterAll(async () => {
  await Promise.all([world.stop(), proxy.close()]);
});

describe('the package', () => {
  test('holds only the necessary files', async () => {
    expect((await readdir(installed.package)).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ]);
    const manifest = JSON.parse(
      await readFile(join(installed.package, 'package.json'), 'utf8'),
    ) as object;
    expect(manifest).not.toHaveProperty('dependencies');
  });

  test('is at most 15 kB, and its part for edge runtimes uses no Node APIs', async () => {
    const edge = [...(await loadedBy(join(installed.package, 'dist/index.js')))];
    expect(edge.filter((file) => !file.startsWith(installed.package))).toEqual([]);
    const whole = [...(await loadedBy(join(installed.package, 'dist/node/index.js')))];
    const own = whole.filter((file) => file.startsWith(installed.package));
    const code = await Promise.all(own.map((file) => readFile(file)));
    const bytes = gzipSync(Buffer.concat(code)).length;
    process.stderr.write(`@framegate/client: ${bytes} bytes, gzipped\n`);
    expect(bytes).toBeLessThanOrEqual(15_000);
  });

  test.each([
    [[], 'dist/node/index.js'],
    [['--conditions=workerd'], 'dist/index.js'],
    [['--conditions=edge-light'], 'dist/index.js'],
  ])('is resolved with %p to %s', async (conditions, file) => {
    const code = "console.log(import.meta.resolve('@framegate/client'))";
    const { stdout } = await installed.node([...conditions, '--input-type=module', '-e', code]);
    expect(stdout.trim()).toBe(`file://${join(installed.package, file)}`);
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has types for %s/%s without those of Node', async (module, moduleResolution) => {
    const sample = join(world.folder, 'consumer.ts');
    await writeFile(
      sample,
      `import { Framegate, type CompletedVideo } from '@framegate/client';
       const video: CompletedVideo = await new Framegate().videos.createAndWait({
         model: 'alpha-2.0-fast', mode: 'text-to-video', prompt: 'A boat',
       });
       export const seconds: number = video.parameters.duration_seconds;
       // @ts-expect-error an unknown mode
       await new Framegate().videos.create({ model: 'a', mode: 'words', prompt: 'A boat' });
       await video.download('boat.mp4');`,
    );
    await writeFile(join(world.folder, 'package.json'), '{ "type": "module" }');
    const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom'];
    const how = ['--module', module, '--moduleResolution', moduleResolution];
    // There are no types of Node in or above this folder.
    const { stdout } = await run(process.execPath, [tsc, ...options, ...how, sample], {
      cwd: world.folder,
    });
    expect(stdout).toBe('');
  });

  test('has types for CommonJS with the classic resolution', async () => {
    const sample = join(world.folder, 'classic.ts');
    await writeFile(
      sample,
      `import { Framegate, type CompletedVideo } from '@framegate/client';
       import { price } from '@framegate/client/edge';
       export const seconds = (video: CompletedVideo): number => video.parameters.duration_seconds;
       export const made = [new Framegate(), price];`,
    );
    const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom'];
    const how = ['--module', 'commonjs', '--moduleResolution', 'node10'];
    const { stdout } = await run(process.execPath, [tsc, ...options, ...how, sample], {
      cwd: world.folder,
    });
    expect(stdout).toBe('');
  });
});

describe('every sample of the README', () => {
  // The worker runs on its own runtime: runtimes.acceptance.ts.
  const ofNode = programs.filter((code) => !code.includes('export default'));
  beforeAll(() =>
    symlink(join(projectRoot, 'node_modules/undici'), join(world.folder, 'node_modules/undici')),
  );
  test.each(ofNode.map((code, index) => [index + 1, code] as const))(
    'program %i',
    async (index, code) => {
      const file = join(world.folder, `sample${index}.mjs`);
      await writeFile(file, code);
      const withProxy = { ...env, HTTPS_PROXY: proxy.origin };
      expect(await installed.node([file], withProxy)).toMatchObject({ status: 0, stderr: '' });
    },
  );

  test('the one behind a proxy makes every request through it', () => {
    expect(proxy.targets).toContain(new URL(world.baseUrl).host);
  });

  test('their downloads exist', async () => {
    const begin = async (name: string) =>
      (await readFile(join(world.folder, name))).subarray(0, 12);
    expect((await begin('boat.mp4')).toString('latin1')).toContain('ftyp');
    expect((await begin('lighthouse-2.png')).toString('latin1')).toContain('PNG');
  });

  test('the commands', async () => {
    const bin = join(world.folder, 'bin');
    await mkdir(bin);
    const main = join(installed.package, 'dist/cli/main.js');
    // npm makes it executable on installation.
    await chmod(main, 0o755);
    await symlink(main, join(bin, 'framegate'));
    expect(scripts.map((script) => script.trim().split('\n').length)).toEqual([5, 6]);
    const path = [bin, dirname(process.execPath), process.env['PATH']].join(':');
    const { stdout } = await run('sh', ['-e', '-c', scripts.join('\n')], {
      cwd: world.folder,
      env: { ...env, PATH: path, HOME: world.folder, NODE_OPTIONS: `--import=${hurry}` },
    });
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { object?: string });
    expect(events.filter(({ object }) => object === 'model')).toHaveLength(3);
    expect(events).toContainEqual({ model: 'alpha-2.0-fast', cost_credits: 80 });
    for (const file of ['lighthouse-2.png', 'prompts-2.mp4', 'prompts-3.mp4']) {
      expect((await stat(join(world.folder, file))).size).toBeGreaterThan(100);
    }
  });
});
