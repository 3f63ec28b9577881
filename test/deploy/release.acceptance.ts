import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { packageFolder, pythonEnvironment } from '../clients/python/environment.ts';
import { commandsPlayedBy } from '../docs/playedCommands.ts';
import { copyTracked, linkPackages } from '../install/installCopy.ts';
import { mustRun, type ProgramEnd, runProgram } from '../support/runProgram.ts';
import { readText } from './support/deployFiles.ts';
import { helmProgram, runTool } from './support/tools.ts';

/*
 * A release of the working tree, made in a repository of its own by the commands of docs/releasing.md. A small
 * program stands in for Docker, which test machines lack.
 */
const { version, repository } = manifest;
const [rehearsal = '', real = ''] = commandsPlayedBy(
  'test/deploy/release.acceptance.ts',
  'docs/releasing.md',
);
const tags = [`integrations/go/v${version}`, `v${version}`];
let folder: string;
let project: string;
let released: string;
let python: string;

const git = (...args: string[]) => mustRun('git', args, { cwd: project });
const read = (file: string) => readFile(join(released, file), 'utf8');
const readTags = async () => (await git('tag', '--list')).split('\n').filter((tag) => tag !== '');

/** Runs a command of the page; Docker answers with this exit status. */
async function release(command: string, dockerStatus = 0): Promise<ProgramEnd> {
  const bin = join(folder, `docker-${String(dockerStatus)}`);
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'docker'), `#!/bin/sh\nexit ${String(dockerStatus)}\n`);
  await chmod(join(bin, 'docker'), 0o755);
  const env = { PATH: [bin, python, process.env['PATH'] ?? ''].join(':') };
  return runProgram('sh', ['-c', command], { cwd: project, env });
}

beforeAll(async () => {
  python = await pythonEnvironment(join(packageFolder, 'requirements-dev.txt'));
  folder = await mkdtemp(join(tmpdir(), 'framegate-release-test-'));
  project = join(folder, 'a project');
  released = join(project, 'dist/release');
  await mkdir(project);
  await copyTracked(project);
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@people.example');
  await linkPackages(project);
  await writeFile(join(project, '.git/info/exclude'), 'node_modules\n');
  // Of a version that is not released yet, the changelog may say nothing so far.
  await writeFile(join(project, 'CHANGELOG.md'), `# Changelog\n\n## ${version}\n`);
  const packages = join(project, 'gateway/src/http/site/clients/clientPackages.ts');
  const text = await readFile(packages, 'utf8');
  await writeFile(packages, text.replaceAll('isRegistered: false', 'isRegistered: true'));
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'All');
}, 600_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('is refused with uncommitted files, before anything is written', async () => {
  const file = join(project, 'notes.txt');
  await writeFile(file, '');
  const { status, output } = await release(rehearsal);
  expect(status).toBe(1);
  expect(output).toMatch(/^The working tree is not clean \(notes\.txt\): .*\.$/m);
  expect(existsSync(released)).toBe(false);
  await rm(file);
});

describe('a rehearsal', () => {
  beforeAll(async () => {
    const { status, output } = await release(rehearsal, 1);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(output).toMatch(/^ {2}image: not made, this needs a running Docker/m);
    expect(output).toMatch(/^Not made: image\.$/m);
    for (const tag of tags) expect(output).toContain(`  ${tag}\n`);
  });

  test('makes no tag', async () => {
    expect(await readTags()).toEqual([]);
  });

  test.each([
    ['@framegate/client', 'framegate-client', 'integrations/typescript'],
    ['@framegate/operator', 'framegate-operator', 'integrations/operator'],
    ['@framegate/ai-sdk-provider', 'framegate-ai-sdk-provider', 'integrations/ai-sdk'],
    ['@framegate/node-red', 'framegate-node-red', 'integrations/node-red'],
    ['@framegate/piece-framegate', 'framegate-piece-framegate', 'integrations/activepieces'],
    ['n8n-nodes-framegate', 'n8n-nodes-framegate', null],
  ])('packs %s', async (name, file, directory) => {
    const into = join(folder, file);
    await mkdir(into);
    await mustRun('tar', ['-xzf', join(released, `${file}-${version}.tgz`), '-C', into]);
    const packed = await readFile(join(into, 'package/package.json'), 'utf8');
    expect(JSON.parse(packed)).toMatchObject({
      name,
      version,
      ...(directory !== null && { repository: { ...repository, directory } }),
    });
    expect(await readdir(join(into, 'package/dist'))).not.toEqual([]);
  });

  test('packs wheel and sdist', async () => {
    const wheel = join(released, `framegate-${version}-py3-none-any.whl`);
    await mustRun('python3', ['-m', 'zipfile', '-e', wheel, join(folder, 'wheel')]);
    const about = join(folder, `wheel/framegate-${version}.dist-info/METADATA`);
    expect(await readFile(about, 'utf8')).toContain(`\nVersion: ${version}\n`);
    const sdist = join(released, `framegate-${version}.tar.gz`);
    const name = `framegate-${version}/PKG-INFO`;
    expect(await mustRun('tar', ['-xzOf', sdist, name])).toContain(`\nVersion: ${version}\n`);
  });

  test('packs a chart that Helm reads', async () => {
    const helm = await helmProgram();
    const chart = join(released, `framegate-${version}.tgz`);
    const shown: unknown = parse(await runTool(helm, ['show', 'chart', chart]));
    expect(shown).toMatchObject({ name: 'framegate', version, appVersion: version });
  });

  test('packs the source', async () => {
    const source = join(released, `framegate-${version}-source.tar.gz`);
    const name = `framegate-${version}/package.json`;
    expect(JSON.parse(await mustRun('tar', ['-xzOf', source, name]))).toMatchObject({ version });
  });

  test('packs the clients into the source, so that its gateway serves them', async () => {
    const source = join(released, `framegate-${version}-source.tar.gz`);
    const place = `framegate-${version}/gateway/clients`;
    const list = await mustRun('tar', ['-xzOf', source, `${place}/clients.json`]);
    const { files } = JSON.parse(list) as { files: Record<string, string> };
    expect(Object.keys(files)).toHaveLength(10);
    const sums = await read('SHA256SUMS');
    for (const [name, sum] of Object.entries(files)) expect(sums).toContain(`${sum}  ${name}\n`);
    expect(await mustRun('tar', ['-tzf', source])).toContain(`${place}/${Object.keys(files)[0]}\n`);
  });

  test('lists what the gateway consists of', async () => {
    const { components } = JSON.parse(await read(`framegate-${version}.cdx.json`)) as {
      components: { name: string }[];
    };
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['koa', 'mongoose', 'agenda']));
    expect(names).not.toContain('jest');
  });

  test('writes checksums of all files', async () => {
    await mustRun('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: released });
    const sums = (await read('SHA256SUMS')).matchAll(/^[0-9a-f]{64} {2}(.+)$/gm);
    const files = [...sums].map(([, file]) => file);
    expect([...files, 'SHA256SUMS'].sort()).toEqual((await readdir(released)).sort());
  });
});

describe('a release', () => {
  test('is refused before it packs if a tool for a part is missing', async () => {
    const packed = await stat(join(released, 'SHA256SUMS'));
    const { status, output } = await release(`${real} -- --skip-checks`, 1);
    expect([status, await readTags()]).toEqual([1, []]);
    expect(output).toMatch(/^Nothing was packed or tagged: image needs a running Docker\.$/m);
    expect((await stat(join(released, 'SHA256SUMS'))).mtimeMs).toBe(packed.mtimeMs);
  });

  test('makes the same files again, with the tags', async () => {
    const sums = await read('SHA256SUMS');
    const { status, output } = await release(`${real} -- --skip-checks`);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(await read('SHA256SUMS')).toBe(sums);
    expect((await readTags()).sort()).toEqual(tags);
    for (const tag of tags) expect(await git('cat-file', '-t', tag)).toBe('tag\n');
    const [, push = ''] = /^Next: (.*)$/m.exec(output) ?? [];
    expect(push.split(' ').sort()).toEqual(expect.arrayContaining(tags));
  });

  test('is not made twice, but packed at its tag', async () => {
    const { status, output } = await release(rehearsal);
    expect(status).toBe(1);
    expect(output).toMatch(/^The tag .*v\d.* exists already, at [0-9a-f]{8}: .*\.$/m);
    expect(readText('.github/workflows/release.yml')).toContain(`${real} -- --tagged\n`);
  });
});
